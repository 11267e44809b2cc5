"""Writing tables: CSV and XLSX, safe to open in a spreadsheet."""
