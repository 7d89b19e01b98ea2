// `bot why` prints the history of an order; `bot why-not` prints the findings that hold now. The steps of an order and their texts:
// `research/order-history.ts`.

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { COMMAND } from '../../../base/package.ts';
import { readJournal } from '../../../bot/journal/segment.ts';
import { type Now, readNow } from '../../../bot/run/core/now.ts';
import type { Entry } from '../../../bot/run/state/entries.ts';
import { NOTHING_HELD, reasonsOf, streamWords, wantedWords } from '../../../bot/run/state/reasons.ts';
import { readRecording, recordingsIn } from '../../../bot/run/state/turn-recorder.ts';
import { type FoundOrder, ordersLike, type Step, stepsOf } from '../../../research/order-history.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { type PageRow, pageLine } from '../../output/words.ts';
import { flagFor, type ResolvedRun, resolveState } from '../../resolve-state.ts';
import { isRunAlive } from '../../run-alive.ts';
import type { WhyFlags } from './command.ts';

/** Prints the history of an order. Throws a UserError `order` if the text matches no order of the run, or several. */
export async function why(order: string, run: string | undefined, flags: WhyFlags, host: Host): Promise<ExitCode> {
  const explained = await explainOrder(order, resolveState(flags, 'newest', host), (text) => say(host.stderr, text));
  say(host.stdout, flags.json ? JSON.stringify(explained) : orderWords(explained, explained.steps));
  return 0;
}

export interface ExplainedOrder extends FoundOrder {
  readonly kind: 'why';
  readonly run: string;
  readonly steps: readonly Step[];
}

/** Reads the history of an order from a state directory. Calls `report` for parts that could not be read. */
export async function explainOrder(
  order: string,
  { directory, facts: { run } }: ResolvedRun,
  report: (text: string) => void = () => undefined,
): Promise<ExplainedOrder> {
  const { entries, damage } = readJournal<Entry>(nodeDisk(directory));
  for (const part of damage) report(`skipped a damaged part: ${part}`);
  const found = requireOne(ordersLike(entries, order), { order, run });
  const steps = await stepsOf(found, { entries, recordings: recordingsOf(directory, report) });
  return { kind: 'why', run, ...found, steps };
}

function requireOne(found: readonly FoundOrder[], { order, run }: { order: string; run: string }): FoundOrder {
  const [only, ...more] = found;
  if (only === undefined)
    throw noOrder(
      `the run ${run} has no order "${order}"`,
      'give its client order id or order id, or the beginning or end of one, its price, or: last',
    );
  if (more.length === 0) return only;
  const some = found
    .slice(0, 5)
    .map(({ clientOrderId, orderId }) => (orderId === undefined ? clientOrderId : `${clientOrderId} (order ${orderId})`));
  throw noOrder(`"${order}" matches ${found.length} orders: ${some.join(', ')}${found.length > 5 ? ', …' : ''}`, 'give more of the id');
}

const noOrder = (message: string, hint: string): UserError => new UserError({ code: 'order', message, hint });

/** Yields the lines of each recording, oldest first; damaged parts are reported and skipped. */
function* recordingsOf(directory: string, report: (text: string) => void): Iterable<AsyncIterable<string>> {
  for (const file of recordingsIn(readdirSync(directory))) yield soundLines(join(directory, file), report);
}

async function* soundLines(file: string, report: (text: string) => void): AsyncIterable<string> {
  try {
    yield* readRecording(file);
  } catch (error) {
    report(`skipped the damaged part of ${basename(file)}: ${messageOf(error)}`);
  }
}

function orderWords({ clientOrderId, orderId }: FoundOrder, steps: readonly Step[]): string {
  const title = `order ${orderId ?? 'without an exchange id'}, client order ${clientOrderId}`;
  return [title, ...steps.map(({ at, step, text }) => safeText(`  ${at}  ${step.padEnd(9)}  ${text}`))].join('\n');
}

/** A live run writes its state every second; an older one counts as hanging. */
const FRESH_MS = 5_000;

/** Prints the findings that hold now. Returns 0 if the state could be read. */
export async function whyNot(run: string | undefined, flags: WhyFlags, host: Host): Promise<ExitCode> {
  const { directory, facts } = resolveState(flags, 'newest', host);
  const now = readNow(directory);
  if (now === undefined) {
    throw new UserError({ code: 'run', message: `the run ${facts.run} has not traded yet`, hint: 'see its own output' });
  }
  const ageMs = Math.max(0, systemClock.now() - Date.parse(now.at));
  const state = !isRunAlive(directory) ? 'over' : ageMs > FRESH_MS ? 'hanging' : 'alive';
  if (flags.json) say(host.stdout, JSON.stringify({ kind: 'why-not', run: facts.run, state, ageMs, ...now }));
  else {
    const resume = `end the run; when the cause is gone, type: ${COMMAND} resume ${flagFor({ directory, facts })}`;
    const rows = [...heldRows(now), ...(now.mode === 'active' ? [] : [['remedy', resume] as const])];
    say(host.stdout, [`${facts.run}: ${STATES[state]}, ${ageWords(ageMs)}`, ...rows.map(pageLine)].join('\n'));
  }
  return 0;
}

const STATES = {
  alive: 'running; its state now',
  hanging: 'its process hangs; its last known state',
  over: 'not running; its state at the end',
} as const;

const ageWords = (ageMs: number): string => (ageMs < FRESH_MS ? 'written just now' : `written ${Math.round(ageMs / 1_000)} s ago`);

/** Returns the findings that hold now, one per row. */
export function heldRows({ holding, unhealthy, unknown, alarms, ...now }: Now): readonly PageRow[] {
  const reasons = reasonsOf({
    ...now,
    held: holding,
    unhealthy: unhealthy.map(({ reason, market }) => streamWords(reason, market)),
    unknown: unknown.length,
  });
  return [
    ...(reasons.length === 0 ? [['held back', NOTHING_HELD] as const] : reasons.map(({ what, text }) => [what, text] as const)),
    ...unknown.map((order) => ['', unknownWords(order)] as const),
    ['intents', wantedWords(now.intents)],
    ...alarms.map(({ at, alarm, market, reason }) => {
      return ['alarm', `${at} ${alarm}${market === undefined ? '' : ` ${market}`}: ${reason}`] as const;
    }),
  ];
}

function unknownWords({ clientOrderId, side, size, market, price, deadAfter }: Now['unknown'][number]): string {
  const until = deadAfter === undefined ? '' : `, may still arrive until ${deadAfter} of the exchange's time`;
  return `client order ${clientOrderId}: ${side} ${size} ${market} at ${price}${until}`;
}
