"""The words of vector code: masks, values, addresses, memory, integers. They know no tree."""
