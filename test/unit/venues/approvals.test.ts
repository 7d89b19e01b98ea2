// Approved schemas: a schema is used only after the user has reviewed it.
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { approvedSchema, approveSchema, differencesText, hashOf, requireApproved } from '../../../src/venues/published-schema/approvals.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';

const URL = 'https://exchange.example';
const TEXT = bundledSchema().text;
/** A schema in which the price of an order has another field number. */
const CHANGED = TEXT.replace(/(message PlaceOrder \{[^}]*?\bprice = )5;/, '$155;');
let file: string;

beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'approvals-')), 'deep', 'approved-schemas.json');
});

function refusal(text: string, url = URL): UserError | undefined {
  try {
    requireApproved({ url, text, file });
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error;
  }
}

test('the changed schema of these tests differs', () => {
  expect(CHANGED).not.toBe(TEXT);
});

describe('a schema that is not approved', () => {
  test('stops the start, with the differences from the bundled one and the command to approve it', () => {
    const error = refusal(CHANGED);
    expect(error?.message).toContain(
      `the action schema of ${URL} has not been approved (sha256 ${hashOf(CHANGED)}). Differences from the bundled one:`,
    );
    expect(error?.message).toMatch(/\n {2}~ .*PlaceOrder\.price: .*= 5 became .*= 55/);
    expect(error?.hint).toBe(`if you trust it, type: npm run bot -- schema approve --url ${URL}`);
  });

  test('stops the start even if it is the bundled one', () => {
    expect(refusal(TEXT)?.message).toContain('only comments or layout differ');
  });
});

describe('an approved schema', () => {
  test('is used, and its text is stored for this user only', () => {
    expect(approveSchema({ url: URL, text: CHANGED, file }).sha256).toBe(hashOf(CHANGED));
    expect(refusal(CHANGED)).toBeUndefined();
    expect(approvedSchema({ url: URL, file })).toEqual({ sha256: hashOf(CHANGED), text: CHANGED });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is approved for one exchange only, whatever follows its host', () => {
    approveSchema({ url: `${URL}/`, text: CHANGED, file });
    expect(refusal(CHANGED, URL)).toBeUndefined();
    expect(refusal(CHANGED, 'https://other.example')?.message).toContain('has not been approved');
  });

  test('does not approve a later one: the difference from it is shown', () => {
    approveSchema({ url: URL, text: TEXT, file });
    const error = refusal(CHANGED);
    expect(error?.message).toContain('is no longer the one that you approved');
    expect(error?.message).toContain('Differences from the one you approved:');
    expect(error?.message).toContain('became');
  });

  test('with changed comments must be approved again, and the message says that only comments changed', () => {
    approveSchema({ url: URL, text: TEXT, file });
    expect(refusal(`// hello\n${TEXT}`)?.message).toContain('only comments or layout differ');
  });

  test('replaces the last one, beside those of other exchanges', () => {
    approveSchema({ url: 'https://other.example', text: TEXT, file });
    approveSchema({ url: URL, text: TEXT, file });
    approveSchema({ url: URL, text: CHANGED, file });
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual(['https://other.example', URL]);
    expect(approvedSchema({ url: URL, file })?.text).toBe(CHANGED);
  });
});

test('a schema that cannot be used for trading is not approved', () => {
  expect(() => approveSchema({ url: URL, text: 'syntax = "proto3";', file })).toThrow(UserError);
  expect(approvedSchema({ url: URL, file })).toBeUndefined();
});

test.each(['{', '[1]', '{"https://exchange.example":{"sha256":1}}'])('a damaged file is refused: %s', (content) => {
  approveSchema({ url: URL, text: TEXT, file });
  writeFileSync(file, content);
  expect(() => approvedSchema({ url: URL, file })).toThrow(/approved-schemas\.json: /);
});

test('a long list of differences is cut, the most important first, and says how to see all of it', () => {
  const fresh = Array.from({ length: 40 }, (_, index) => `+ field${index}: uint64 = ${index}`);
  const shown = differencesText([...fresh, '- gone: uint64 = 1', '~ price: uint64 = 5 became uint64 = 6']).split('\n');
  expect(shown).toHaveLength(31);
  expect(shown.slice(0, 3)).toEqual(['  ~ price: uint64 = 5 became uint64 = 6', '  - gone: uint64 = 1', '  + field0: uint64 = 0']);
  expect(shown.at(-1)).toBe('  … and 12 more; "bot schema diff" shows all');
});
