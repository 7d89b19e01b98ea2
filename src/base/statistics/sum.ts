// The sum and the mean of numbers, added in their order.

/** 0 for none. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Not a number for none. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;
