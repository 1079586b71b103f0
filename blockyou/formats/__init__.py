"""How values are written by language, where Django's own ways do not suit: `FORMAT_MODULE_PATH`."""
