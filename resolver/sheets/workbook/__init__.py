"""Reading XLSX and ODS row by row, with bounds on all that a file may hold."""
