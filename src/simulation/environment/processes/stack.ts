// What was thrown, for a person who looks for the mistake.
export const stackOf = (thrown: unknown): string => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
