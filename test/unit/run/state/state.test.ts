// The directory of a run on a real disk: what one process writes, the next one reads, and damage is never guessed at.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/base/errors.ts';
import { DiskError } from '../../../../src/base/files/disk.ts';
import type { SealedAction } from '../../../../src/bot/exchange/kit/sending/outgoing.ts';
import { inheritedOptions } from '../../../../src/bot/run/core/venue.ts';
import { type Entry, isLine } from '../../../../src/bot/run/state/entries.ts';
import { openState, openStateDirectory, type State } from '../../../../src/bot/run/state/state.ts';
import { memoryState } from '../../../memory-state.ts';
import { breaking, MemoryDisk } from '../../journal/memory-disk.ts';
import { AT, findingLine, orderLine } from '../../report/samples.ts';

const ONE = orderLine({ clientOrderId: '1' });
const TWO = orderLine({ clientOrderId: '2' });

let directory: string;
let clock: VirtualClock;
const opened: State[] = [];
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'state-')), 'run');
  clock = new VirtualClock(Date.parse(AT));
});
afterEach(() => {
  for (const state of opened.splice(0)) state.close();
  rmSync(join(directory, '..'), { recursive: true, force: true });
});

/** The next process, after the end of the last one. */
function open(started = 'a'): Required<State> {
  for (const state of opened.splice(0)) state.close();
  const state = openStateDirectory(directory, { clock, started });
  opened.push(state);
  return state;
}
const linesOf = ({ earlier }: State): Entry[] => earlier.filter(isLine);
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const newestJournal = (): string => readdirSync(directory).findLast((file) => file.startsWith('journal-')) ?? '';

/** The error with which a process would end. */
function refusal(run: () => unknown = () => open('b')): UserError {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('it was opened');
}

describe('the journal', () => {
  test('is empty at first', () => expect(open().earlier).toEqual([]));

  test('has the lines of every earlier process, in order', () => {
    open('a').append([ONE]);
    const second = open('b');
    second.append([]);
    second.append([TWO]);
    expect(linesOf(second)).toEqual([ONE]);
    expect(linesOf(open('c'))).toEqual([ONE, TWO]);
  });

  test('is written at once: a process that dies loses nothing', () => {
    open().append([ONE]);
    expect(readFileSync(join(directory, newestJournal()), 'utf8')).toContain(JSON.stringify(ONE));
  });

  test('loses a last line that a crash cut off, and later lines are complete', () => {
    open('a').append([ONE]);
    appendFileSync(join(directory, newestJournal()), '12345678 [{"kind":"order","at":"20é');
    const second = open('b');
    expect(linesOf(second)).toEqual([ONE]);
    second.append([TWO]);
    expect(linesOf(open('c'))).toEqual([ONE, TWO]);
  });

  test('that is damaged stops the start, with its place, and is not changed', () => {
    open('a').append([ONE]);
    open('a').append([TWO]);
    opened.splice(0)[0]?.close();
    const file = join(directory, newestJournal());
    writeFileSync(file, readFileSync(file, 'utf8').replace('"version":1', '"version":7'));
    const before = readFileSync(file);
    const { code, message, hint } = refusal();
    expect([code, message]).toEqual([
      'state',
      `${directory}: ${newestJournal()}:1: the journal is damaged: this line differs from what was written`,
    ]);
    expect(hint).toMatch(/--state DIR/);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(directory).filter((name) => name.startsWith('turns-b'))).toEqual([]);
    expect(refusal().code).toBe('state'); // and not because of a lock
  });
});

describe('a directory from before there was a journal', () => {
  test('is refused, with what to do, and stays unchanged', () => {
    mkdirSync(directory, { recursive: true });
    const text = `${JSON.stringify(ONE)}\n`;
    writeFileSync(join(directory, 'ledger.jsonl'), text);
    const { code, message, hint } = refusal();
    expect([code, message]).toEqual([
      'state',
      `${directory}: ledger.jsonl was written by an early version, in a format that is no longer read`,
    ]);
    expect(hint).toMatch(/bot kill.*--state DIR/);
    expect(readFileSync(join(directory, 'ledger.jsonl'), 'utf8')).toBe(text);
  });
});

const sealed: SealedAction = { action: 'place', clientOrderId: '1', timestamp: 1_000, nonce: 7, body: new Uint8Array([1, 2, 255]) };

describe('an action before it is sent', () => {
  test('is journaled with its bytes and the time when they expire', () => {
    const first = open('a');
    first.recordActions([sealed, { action: 'cancel', clientOrderId: '2' }]);
    expect(open('b').earlier.filter(({ kind }) => kind === 'sent')).toEqual([
      { kind: 'sent', at: AT, action: 'place', clientOrderId: '1', timestamp: 1_000, nonce: 7, body: 'AQL/', deadAfter: 1_063 },
      { kind: 'sent', at: AT, action: 'cancel', clientOrderId: '2' },
    ]);
  });

  test('shows the next process which orders were never sent', () => {
    const first = open('a');
    first.append([ONE, TWO]);
    first.recordActions([sealed]);
    const notSent = { ...TWO, status: 'rejected', reason: 'NOT_SENT' } as const;
    expect(linesOf(open('b'))).toEqual([ONE, TWO, notSent]);
    expect(linesOf(open('c')).filter((entry) => entry.kind === 'order' && entry.status === 'rejected')).toEqual([notSent]);
  });
});

const countsOf = (state: State) => inheritedOptions({ clock: new VirtualClock(0), state }).ownCounts;

test('the next process knows that an account with orders has agreed with its own counts', () => {
  const state = memoryState();
  expect(countsOf(state)?.hasAgreed).toBe(false);
  countsOf(state)?.onAgreed?.();
  expect(countsOf(memoryState(state.entries))?.hasAgreed).toBe(true);
});

function nonceAfter(last: number | undefined, second: number): number {
  const state = memoryState(last === undefined ? [] : [{ kind: 'sent', at: AT, action: 'cancel', nonce: last }]);
  return inheritedOptions({ clock: new VirtualClock(second * 1_000), state }).firstNonce;
}

describe('a first nonce', () => {
  const LAST = 2 ** 32 - 1;

  test.each([
    ['by the clock', undefined, 10, 2_560],
    ['above the last, although the clock is far ahead', 100, 10, 2_560],
    ['above the last if the clock stands still', 2_560, 10, 2_561],
    ['above the last if the clock went back', 2_600, 9, 2_601],
    ['above the last if that was the highest', LAST, 0, 0],
    ['above the last if that was the highest and the clock is behind', LAST, 2 ** 24 - 1, 0],
    ['by the clock if they have wrapped around since', LAST, 2 ** 24 + 1, 256],
  ])('is %s', (_, last, second, nonce) => expect(nonceAfter(last, second)).toBe(nonce));
});

const pass = (span: number): void => clock.advanceTo(clock.now() + span);

describe('a disk that is full', () => {
  const full = { error: new DiskError('full', 'no space is left'), done: false };
  let isFull: boolean;
  let memory: MemoryDisk;
  let state: Required<State>;
  const processes = { self: { pid: 1, started: '', boot: '' }, alive: () => false };
  const reopened = () => openState(memory.copy(), { clock, started: 'b', processes });
  beforeEach(() => {
    [isFull, memory] = [false, new MemoryDisk()];
    state = openState(
      breaking(memory, () => (isFull ? full : undefined)),
      { clock, started: 'a', processes },
    );
  });

  test('keeps entries in order, and reports the problem until they are written', () => {
    state.append([ONE]);
    isFull = true;
    state.append([TWO]);
    state.append([findingLine('margin')]);
    expect(state.trouble()).toBe('no space is left');
    expect(linesOf(reopened())).toEqual([ONE]);
    isFull = false;
    state.append([]);
    expect(state.trouble()).toBeDefined(); // not tried again at once
    pass(1_000);
    state.append([]);
    expect(state.trouble()).toBeUndefined();
    expect(linesOf(reopened())).toEqual([ONE, TWO, findingLine('margin')]);
  });

  test('stops actions from being sent, at once and until there is room', () => {
    isFull = true;
    expect(() => state.recordActions([sealed])).toThrow('no space is left');
    state.append([ONE]);
    isFull = false;
    state.recordActions([{ ...sealed, nonce: 8 }]);
    expect(state.trouble()).toBeUndefined();
    const kept = reopened().earlier.filter(({ kind }) => kind === 'order' || kind === 'sent');
    expect(kept).toMatchObject([ONE, { kind: 'sent', nonce: 8 }]);
  });

  test('is noticed to have space again even without new entries', () => {
    isFull = true;
    expect(() => state.recordActions([sealed])).toThrow();
    isFull = false;
    pass(1_000);
    state.append([]);
    expect(state.trouble()).toBeUndefined();
  });

  test('keeps a bounded number of findings', () => {
    isFull = true;
    for (let count = 0; count < 10_001; count++) state.append([findingLine('margin')]);
    state.append([ONE]);
    isFull = false;
    pass(1_000);
    state.append([]);
    expect(linesOf(reopened()).length).toBeLessThan(10);
    expect(linesOf(reopened())).toContainEqual(ONE);
  });

  test('refuses a run that starts then, with a reason', () => {
    isFull = true;
    const disk = breaking(new MemoryDisk(), () => full);
    expect(() => openState(disk, { clock, started: 'a', processes })).toThrow('no space is left');
  });
});

/** A disk of limited size. */
class SmallDisk extends MemoryDisk {
  capacity = Infinity;

  override append(file: string, bytes: Uint8Array): void {
    this.#require(bytes.length);
    super.append(file, bytes);
  }

  override create(file: string, bytes: Uint8Array): boolean {
    this.#require(bytes.length);
    return super.create(file, bytes);
  }

  override replace(file: string, bytes: Uint8Array): void {
    this.#require(bytes.length);
    super.replace(file, bytes);
  }

  get used(): number {
    return [...this.files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  #require(bytes: number): void {
    if (this.used + bytes > this.capacity) throw new DiskError('full', 'no space is left');
  }
}

describe('a disk without a free byte', () => {
  const processes = { self: { pid: 1, started: '', boot: '' }, alive: () => false };
  const cancel = { ...sealed, action: 'cancel' as const, nonce: 9 };
  const kinds = (disk: MemoryDisk): readonly string[] =>
    openState(disk.copy(), { clock, started: 'b', processes }).earlier.map((entry) => (entry.kind === 'sent' ? entry.action : entry.kind));

  test('has a reserve for cancels and answers; no order is written into it, and none is sent', () => {
    const disk = new SmallDisk();
    const state = openState(disk, { clock, started: 'a', processes });
    disk.capacity = disk.used;
    expect(() => state.recordActions([sealed])).toThrow('no space is left');
    state.recordActions([cancel]);
    state.append([ONE]);
    expect(kinds(disk)).toEqual(expect.arrayContaining(['cancel', 'order']));
    expect(kinds(disk)).not.toContain('place');
    for (let second = 0; second < 10; second++) {
      pass(1_000);
      expect(() => state.recordActions([sealed])).toThrow('no space is left');
      expect(state.trouble()).toBeDefined();
    }
    disk.capacity = Infinity;
    pass(1_000);
    state.append([]);
    expect(state.trouble()).toBeUndefined();
    state.recordActions([sealed]);
    expect(kinds(disk)).toContain('place');
    expect(disk.size('reserve-journal')).toBe(2 ** 20);
  });

  test('is noticed to have room again, although the run appends more often than the disk is tried', () => {
    const disk = new SmallDisk();
    const state = openState(disk, { clock, started: 'a', processes });
    disk.capacity = disk.used;
    expect(() => state.recordActions([sealed])).toThrow('no space is left');
    disk.capacity = Infinity;
    for (let turn = 0; turn < 8; turn++) {
      pass(300);
      state.append([]);
    }
    expect(state.trouble()).toBeUndefined();
  });
});

const key = (seed: number) => () => new Uint8Array(32).fill(seed);

describe('the session key', () => {
  test('is created once, for this user only, and is the same in every process', () => {
    expect(open('a').sessionKey(key(1))).toEqual(key(1)());
    expect(open('b').sessionKey(key(2))).toEqual(key(1)());
    expect(modeOf(join(directory, 'session.key'))).toBe('600');
  });

  test('is refused if it is damaged', () => {
    const state = open();
    state.sessionKey(key(1));
    writeFileSync(join(directory, 'session.key'), 'short');
    expect(() => state.sessionKey(key(2))).toThrow('session.key: not a key of 32 bytes');
  });
});

describe('the directory', () => {
  test('is only for this user, and so are its files', () => {
    const state = open();
    state.append([ONE]);
    state.record('text');
    state.close();
    expect(modeOf(directory)).toBe('700');
    const files = readdirSync(directory);
    expect(files.map((file) => file.replace(/-.*/, ''))).toEqual(['journal', 'latch', 'lock', 'lock', 'reserve', 'turns']);
    for (const file of files) expect(`${file} ${modeOf(join(directory, file))}`).toBe(`${file} 600`);
  });

  test('is used by one process at a time', () => {
    const first = open();
    const { code, message } = refusal(() => openStateDirectory(directory, { clock, started: 'b' }));
    expect([code, message]).toEqual(['locked', `${directory}: another process uses this state directory: process ${process.pid}`]);
    first.close();
    open('b');
  });

  test('keeps the modes that a person has set', () => {
    open().killSwitch.raise('close-only', { reason: 'a test', at: AT, by: 'bot' });
    expect(open('b').killSwitch.get()).toMatchObject({ mode: 'close-only', cause: { reason: 'a test' } });
  });

  test('that cannot be created is an error of the user', () => {
    writeFileSync(join(directory, '..', 'run'), 'a file');
    const { code, message, hint } = refusal();
    expect([code, hint]).toEqual(['state', 'choose another with --state DIR']);
    expect(message).toContain(`the state directory ${directory} cannot be used: `);
  });

  test.runIf(existsSync('/proc'))('under /proc is refused at once', () => {
    directory = '/proc/nowhere/run';
    expect(refusal().message).toContain('the state directory /proc/nowhere/run cannot be used: ');
    directory = join(tmpdir(), 'state-nowhere', 'run');
  });
});

describe('a state for tests', () => {
  test('keeps everything in memory', () => {
    const lines: Entry[] = [ONE];
    const state = memoryState(lines);
    state.append([TWO]);
    state.record('text');
    state.recordActions([sealed]);
    expect([state.earlier, state.lines, state.recording]).toEqual([[ONE], [ONE, TWO], ['text']]);
    expect(state.entries).toMatchObject([ONE, TWO, { kind: 'sent', nonce: 7 }]);
    expect(lines).toEqual([ONE]);
    expect(state.sessionKey(() => new Uint8Array([1]))).toEqual(new Uint8Array([1]));
    state.close();
  });
});
