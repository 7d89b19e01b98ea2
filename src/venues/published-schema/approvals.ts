// The action schemas that the user has approved, one per exchange, and the text that asks for an approval.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { replaceFile } from '../../base/files/text-file.ts';
import { COMMAND, PROGRAM } from '../../base/package.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { APPROVALS_FILE } from '../kind/facts.ts';
import { bundledSchema, loadSchema, schemaDifferences } from '../wire/schema/schema.ts';

/** Maximum number of differences shown: an unrelated schema differs in hundreds of places. */
const MAX_SHOWN = 30;

const approvalsShape = z.record(z.string(), z.strictObject({ sha256: z.string(), text: z.string() }));
export type SchemaApproval = z.infer<typeof approvalsShape>[string];

interface ApprovalQuery {
  /** URL of the exchange; only its origin counts. */
  readonly url: string;
  readonly file?: string | undefined;
}

/** Returns the schema that the user has approved for an exchange, if any. Throws a UserError if the file is damaged. */
export function approvedSchema({ url, file = APPROVALS_FILE }: ApprovalQuery): SchemaApproval | undefined {
  return readApprovals(file)[originOf(url)];
}

/** Approves this text for this exchange, instead of any earlier one. Throws a UserError if it cannot be used for trading. */
export function approveSchema({ url, text, file = APPROVALS_FILE }: ApprovalQuery & { readonly text: string }): SchemaApproval {
  const approval = { sha256: loadSchema(text).hash, text };
  const approvals = { ...readApprovals(file), [originOf(url)]: approval };
  makeFolder(dirname(file), 0o700);
  replaceFile(file, `${JSON.stringify(approvals, undefined, 2)}\n`);
  return approval;
}

/** Throws a UserError that shows the differences, unless the user has approved exactly this text for this exchange. */
export function requireApproved({ url, text, file }: ApprovalQuery & { readonly text: string }): void {
  const approved = approvedSchema({ url, file });
  const hash = hashOf(text);
  if (approved?.sha256 === hash) return;
  const [comparedWith, known] = approved === undefined ? ['the bundled one', bundledSchema()] : ['the one you approved', approved];
  const state = approved === undefined ? 'has not been approved' : 'is no longer the one that you approved';
  throw new UserError({
    code: 'schema',
    message: `the action schema of ${originOf(url)} ${state} (sha256 ${hash}). Differences from ${comparedWith}:\n${differencesText(schemaDifferences(known, { text }))}`,
    hint: `if you trust it, type: ${COMMAND} schema approve --url ${originOf(url)}`,
  });
}

/** Returns one indented line per difference, at most `max`: changed numbers and types first, then removed fields, then new ones. */
export function differencesText(differences: readonly string[], max = MAX_SHOWN): string {
  if (differences.length === 0) return '  the same fields and numbers; only comments or layout differ';
  const bySeverity = ['~', '-', '+'].flatMap((mark) => differences.filter((line) => line.startsWith(mark)));
  const rest = bySeverity.length - max;
  return [...bySeverity.slice(0, max), ...(rest > 0 ? [`… and ${rest} more; "${PROGRAM} schema diff" shows all`] : [])]
    .map((line) => `  ${line}`)
    .join('\n');
}

/** Returns the SHA-256 hash of a schema's text in hex, as `ActionSchema.hash` has it. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

function readApprovals(file: string): Readonly<Record<string, SchemaApproval>> {
  try {
    return approvalsShape.parse(readJson(readFileSync(file, 'utf8'), JSON_LIMITS.state));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    const message = error instanceof z.ZodError ? 'not a list of approved schemas' : messageOf(error);
    throw new UserError({ code: 'schema', message, place: { file }, hint: 'move the file away, and approve the schemas again' });
  }
}
