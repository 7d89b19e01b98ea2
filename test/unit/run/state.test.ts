// A run's directory, on a real disk: what one process writes is what the next one reads, and damage is not guessed at.
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import type { Line } from '../../../src/report/lines.ts';
import { memoryState, openState, type State } from '../../../src/run/state.ts';
import { findingLine, orderLine } from '../report/samples.ts';

const ONE = orderLine({ clientOrderId: '1' });
const TWO = findingLine('margin');

let directory: string;
let ledger: string;
const opened: State[] = [];
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'state-')), 'run');
  ledger = join(directory, 'ledger.jsonl');
});
afterEach(() => {
  for (const state of opened.splice(0)) state.close();
  rmSync(join(directory, '..'), { recursive: true, force: true });
});

function open(started = 'a'): State {
  const state = openState(directory, started);
  opened.push(state);
  return state;
}
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

/** The error with which a process would end. */
function refusal(): UserError {
  try {
    open('b');
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

describe('the ledger', () => {
  test('is empty at first', () => expect(open().earlier).toEqual([]));

  test('has the lines of every process before, in their order', () => {
    open('a').append([ONE]);
    const second = open('b');
    second.append([]);
    second.append([TWO, ONE]);
    expect(second.earlier).toEqual([ONE]);
    expect(open('c').earlier).toEqual([ONE, TWO, ONE]);
  });

  test('is written at once: a process that dies has lost nothing', () => {
    open().append([ONE]);
    expect(readFileSync(ledger, 'utf8')).toBe(`${JSON.stringify(ONE)}\n`);
  });

  test('loses a last line that a crash cut off, and what comes after it is whole', () => {
    open('a').append([ONE]);
    appendFileSync(ledger, '{"kind":"order","at":"20é');
    const second = open('b');
    expect(second.earlier).toEqual([ONE]);
    second.append([TWO]);
    expect(open('c').earlier).toEqual([ONE, TWO]);
  });

  test('that holds only a line that was cut off is empty', () => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(ledger, '{"kind":"ord');
    expect(open().earlier).toEqual([]);
  });

  test.each(['{"kind":"order"', 'not JSON', '5', 'null', '"text"', '{"no":"kind"}'])(
    'with the line %j in it stops, with its place',
    (damage) => {
      open('a').append([ONE]);
      appendFileSync(ledger, `${damage}\n${JSON.stringify(TWO)}\n`);
      const { code, message, hint } = refusal();
      expect([code, message]).toEqual(['state', `${ledger}:2: not a line of a ledger`]);
      expect(hint).toMatch(/--state DIR/);
      expect(readFileSync(ledger, 'utf8')).toContain(damage);
    },
  );

  test('that is damaged leaves no recording of a process that never ran', () => {
    open('a').append([ONE]);
    appendFileSync(ledger, 'damage\n');
    refusal();
    expect(readdirSync(directory).filter((file) => file.startsWith('turns-b'))).toEqual([]);
  });
});

const key = (seed: number) => () => new Uint8Array(32).fill(seed);

describe('the session key', () => {
  test('is made once, for this user alone, and is the same in every process', () => {
    expect(open('a').sessionKey(key(1))).toEqual(key(1)());
    expect(open('b').sessionKey(key(2))).toEqual(key(1)());
    expect(modeOf(join(directory, 'session.key'))).toBe('600');
  });

  test('that is damaged stops', () => {
    const state = open();
    state.sessionKey(key(1));
    writeFileSync(join(directory, 'session.key'), 'short');
    expect(() => state.sessionKey(key(2))).toThrow(`${join(directory, 'session.key')}: not a key of 32 bytes`);
  });
});

describe('the directory', () => {
  test('is this user’s alone, and so are its files', () => {
    open().append([ONE]);
    expect(modeOf(directory)).toBe('700');
    for (const file of readdirSync(directory)) expect(`${file} ${modeOf(join(directory, file))}`).toBe(`${file} 600`);
  });

  test('that cannot be made is the user’s to change', () => {
    writeFileSync(join(directory, '..', 'run'), 'a file');
    const { code, message, hint } = refusal();
    expect([code, hint]).toEqual(['state', 'choose another with --state DIR']);
    expect(message).toContain(`the state directory ${directory} cannot be used: `);
  });
});

describe('a state for tests', () => {
  test('keeps everything in memory', () => {
    const lines: Line[] = [ONE];
    const state = memoryState(lines);
    state.append([TWO]);
    state.record('text');
    expect([state.earlier, state.lines, state.recording]).toEqual([[ONE], [ONE, TWO], ['text']]);
    expect(lines).toEqual([ONE]);
    expect(state.sessionKey(() => new Uint8Array([1]))).toEqual(new Uint8Array([1]));
    state.close();
  });
});
