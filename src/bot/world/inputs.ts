// The newest value and the fault of each input of the strategy.
import type { Millis } from '../../base/clock.ts';
import type { InputEvent, InputHealth, InputSeen } from '../domain/event.ts';
import type { JsonValue } from '../domain/json.ts';
import type { Finding, LogRecord } from '../domain/turn.ts';
import type { RunMemory } from './memory.ts';
import type { Seen } from './seen.ts';

/** A signal as it is kept for the next process of the run. */
export interface KeptSignal {
  readonly value: JsonValue;
  readonly asked: Millis;
  /** The last ids, newest last. */
  readonly ids: readonly string[];
}

const MAX_IDS = 100;
const NO_FINDINGS: readonly Finding[] = [];

/** The name under which a run remembers an input's last signal. */
export const signalMemory = (input: string): string => `signal ${input}`;

export class InputValues {
  readonly #memory: RunMemory;
  readonly #seen = new Map<string, Seen<JsonValue>>();
  readonly #faults = new Map<string, InputHealth>();
  #records: LogRecord[] = [];

  constructor(memory: RunMemory) {
    this.#memory = memory;
  }

  /** The newest value; for a signal that this process has not received yet, the one that an earlier process remembered. Undefined if there is none. */
  newest(name: string): Seen<JsonValue> | undefined {
    return this.#seen.get(name) ?? this.#remembered(name);
  }

  /** True unless the input is known to fail. */
  isHealthy(name: string): boolean {
    return !this.#faults.has(name);
  }

  /** Returns one finding per failing input. */
  findings(now: Millis): readonly Finding[] {
    if (this.#faults.size === 0) return NO_FINDINGS;
    return [...this.#faults.values()].map(({ name, reason }) => {
      const newest = this.newest(name);
      const age = newest === undefined ? 'there is no value yet' : `the newest value is ${secondsOf(now - newest.asked)} old`;
      return { guard: `input ${name}`, verdict: 'stale', reason: `${reason}; ${age}` };
    });
  }

  /** Returns the log records since the last call: each input that works again, and each whose failure has got another reason. Undefined if none. */
  takeRecords(): readonly LogRecord[] | undefined {
    if (this.#records.length === 0) return undefined;
    const records = this.#records;
    this.#records = [];
    return records;
  }

  apply(event: InputEvent): void {
    if (event.kind === 'inputSeen') this.#see(event);
    else this.#change(event);
  }

  #see({ name, value, asked, at, signal }: InputSeen): void {
    if (signal !== undefined) this.#remember(name, { value, asked, ids: signal.id === undefined ? [] : [signal.id] });
    this.#seen.set(name, { value: frozen(value), asked, at });
  }

  #change(event: InputHealth): void {
    const before = this.#faults.get(event.name);
    if (!event.healthy) {
      this.#faults.set(event.name, before === undefined ? event : { ...event, at: before.at });
      if (before !== undefined && before.reason !== event.reason)
        this.#records.push({ level: 'warn', text: `input ${event.name} fails: ${event.reason}` });
    } else if (this.#faults.delete(event.name) && before !== undefined)
      this.#records.push({ level: 'info', text: `input ${event.name} works again; it failed for ${secondsOf(event.at - before.at)}` });
  }

  #remember(name: string, { value, asked, ids }: KeptSignal): void {
    const before = this.#memory.get(signalMemory(name)) as KeptSignal | undefined;
    const kept: KeptSignal = { value, asked, ids: [...(before?.ids ?? []), ...ids].slice(-MAX_IDS) };
    this.#memory.set(signalMemory(name), JSON.stringify(kept));
  }

  #remembered(name: string): Seen<JsonValue> | undefined {
    const kept = this.#memory.get(signalMemory(name)) as KeptSignal | undefined;
    if (kept === undefined) return undefined;
    const seen = { value: frozen(kept.value), asked: kept.asked, at: kept.asked };
    this.#seen.set(name, seen);
    return seen;
  }
}

const secondsOf = (span: Millis): string => `${Math.max(0, Math.round(span / 1_000))} s`;

/** Freezes the value deeply, so that a strategy cannot change the recorded one. */
function frozen(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) frozen(member);
  return value;
}
