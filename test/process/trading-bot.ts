// A bot as a process that trades at an exchange, with own orders resting, and can be started again.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { VENUES } from '../../src/program/venues.ts';
import { readFacts } from '../../src/venues/kind/facts.ts';
import { PATIENCE_MS } from '../patience.ts';
import type { Child, Printed } from './children.ts';
import type { LiveExchange, Place } from './live-exchange.ts';

export interface Bot extends Place {
  readonly child: Child;
  readonly pid: number;
  /** Settles with the next process of the same run when that has started. */
  readonly again: () => Promise<Child>;
}

/** A bot that trades, with own orders resting. */
export async function botTrading(
  exchange: LiveExchange,
  name: string,
  { onTestFinished, more = [] }: Pick<TestContext, 'onTestFinished'> & { more?: readonly string[] },
): Promise<Bot> {
  const place = exchange.place(name, { onTestFinished });
  const child = place.start(['grid'], more);
  const again = async (): Promise<Child> => {
    const next = place.start(['grid'], more);
    await until(() => next.lines.length > 0, next);
    return next;
  };
  await until(async () => child.lines.some(isOpen) && (await place.resting()) > 0, child);
  return { ...place, child, pid: readFacts(place.state, VENUES)?.pid ?? 0, again };
}

const isOpen = (line: Printed): boolean => line.kind === 'order' && line['status'] === 'open';

/** Settles when the condition holds. A check that throws is repeated, because it may fail on a busy machine. */
export async function until(holds: () => boolean | Promise<boolean>, child: Child): Promise<void> {
  const begun = performance.now();
  while (!(await Promise.resolve(holds()).catch(() => false))) {
    if (performance.now() > begun + PATIENCE_MS) throw new Error(`it never came to that: ${child.stderrText()}`);
    await wait(50);
  }
}

/** The lines of the watchdogs of a run. */
export const logIn = (state: string): string =>
  existsSync(join(state, 'watchdog.log')) ? readFileSync(join(state, 'watchdog.log'), 'utf8') : '';
