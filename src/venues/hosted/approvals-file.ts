// Where approved action schemas are kept. Apart from approvals.ts, which loads the schema.

/** Relative to the working directory. */
export const APPROVALS_FILE = '.bot/approved-schemas.json';
