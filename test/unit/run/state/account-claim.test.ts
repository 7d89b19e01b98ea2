// One run per account and exchange on a machine: two state directories with one key, and the folder of the claims.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { type Claimed, Claims } from '../../../../src/bot/run/state/account-claim.ts';

const CLAIMED: Claimed = { exchange: 'hosted', url: 'https://exchange.example', user: 'A'.repeat(43), account: 7 };

let home: string;
let warnings: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'claims-'));
  warnings = [];
});

const inHome = (): string => join(home, '.local', 'state', 'tickwright', 'accounts');

function claims(directory = '/runs/one', env: Record<string, string> = { HOME: home }): Claims {
  const log = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
  const made = new Claims({ env, directory, log });
  onTestFinished(() => made.release());
  return made;
}

describe('an account', () => {
  test('is traded by one run on this machine: a second one is refused, with the name of the first', () => {
    const first = claims();
    first.take(CLAIMED);
    const second = claims('/runs/two');
    expect(() => second.take(CLAIMED)).toThrow(UserError);
    expect(() => second.take(CLAIMED)).toThrow(`trades account 7: process ${process.pid}, with the state directory /runs/one`);
    first.release();
    second.take(CLAIMED);
  });

  test.each([{ account: 8 }, { url: 'https://testnet.example' }, { user: 'B'.repeat(43) }, { exchange: 'local' }])(
    'with %o is another account',
    (other) => {
      claims().take(CLAIMED);
      claims('/runs/two').take({ ...CLAIMED, ...other });
      expect(warnings).toEqual([]);
    },
  );
});

describe('the folder', () => {
  test('belongs to the user, and its file names reveal nothing', () => {
    claims().take(CLAIMED);
    expect(statSync(inHome()).mode & 0o777).toBe(0o700);
    expect(readdirSync(inHome())).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.lock$/)]);
  });

  test('is below XDG_STATE_HOME if that is set', () => {
    claims('/runs/one', { HOME: home, XDG_STATE_HOME: join(home, 'xdg') }).take(CLAIMED);
    expect(readdirSync(join(home, 'xdg', 'tickwright', 'accounts'))).toHaveLength(1);
  });

  test.each([
    [
      'a folder that others can write',
      () => {
        mkdirSync(inHome(), { recursive: true });
        chmodSync(inHome(), 0o777);
      },
      /others can write it/,
    ],
    ['a folder that cannot be created', () => writeFileSync(join(home, '.local'), ''), /a second run on this account would not be noticed/],
  ])('%s is not used, which is logged', (_, spoil, says) => {
    spoil();
    claims().take(CLAIMED);
    expect(warnings).toEqual([expect.stringMatching(says)]);
  });
});
