// The facts of a run on disk: they are read back unchanged, and damage is reported with its place.

import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { VENUES } from '../../../../src/program/venues.ts';
import type { HostedFacts } from '../../../../src/venues/hosted/facts.ts';
import { FACTS_FILE, type RunFacts, readFacts, writeFacts } from '../../../../src/venues/kind/facts.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'facts-'));

const HOSTED: HostedFacts = { kind: 'hosted', url: 'https://exchange.example', user: 'abc', schema: 'bundled', approvals: '/a', key: '/k' };

const FACTS: RunFacts = {
  version: 1,
  run: 'grid-hosted',
  strategy: 'grid',
  markets: ['BTCUSDC'],
  exchange: HOSTED,
  pid: 1,
  started: '2026-01-02T03:04:05.678Z',
  tickwright: '0.1.0',
};

test('are read back as they were written, from a file for this user only', () => {
  const directory = folder();
  writeFacts(nodeDisk(directory), FACTS);
  expect(readFacts(directory, VENUES)).toEqual(FACTS);
  expect(statSync(join(directory, FACTS_FILE)).mode & 0o777).toBe(0o600);
});

test('are missing if no run has been there', () => {
  expect(readFacts(folder(), VENUES)).toBeUndefined();
});

test.each(['', '{', '{"version":1}', '{"version":2}', JSON.stringify({ ...FACTS, exchange: { kind: 'moon' } })])(
  'are not guessed from %j',
  (text) => {
    const directory = folder();
    writeFileSync(join(directory, FACTS_FILE), text);
    expect(() => readFacts(directory, VENUES)).toThrow(`${join(directory, FACTS_FILE)}: not the facts of a run`);
  },
);
