"""Reading XLS and XLSB: a process with bounds makes a table of them, which is read row by row."""
