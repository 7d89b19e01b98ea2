// The subcommands of `bot schema`.
import { defineCommand, type FlagsOf, needed } from '../../declared.ts';

const ABOUT = {
  show: "print the text and hash of the exchange's schema",
  diff: "compare the exchange's schema with the bundled one and with the one that you approved",
  approve: "approve the exchange's present schema, so that --schema remote uses it",
} as const;

export const SCHEMA_VERBS = ['show', 'diff', 'approve'] as const;

export const schemaCommand = (verb: (typeof SCHEMA_VERBS)[number]) =>
  defineCommand({ name: verb, about: ABOUT[verb], options: [needed('--url <url>', 'address of the exchange')] });
export type UrlFlags = FlagsOf<ReturnType<typeof schemaCommand>>;
