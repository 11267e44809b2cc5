"""Reading XLS and XLSB: a process with bounds of its own makes a table of them, which is read row by row."""
