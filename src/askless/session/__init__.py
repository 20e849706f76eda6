"""The loop: ask, tell, undo. Decides when things happen; is given everything that does them."""
