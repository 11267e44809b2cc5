"""Reading a text: locate the name, remove the layers around it, work out candidates."""
