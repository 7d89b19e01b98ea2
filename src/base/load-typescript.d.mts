// Registers tsx when it is imported; it exports nothing.
export {};
