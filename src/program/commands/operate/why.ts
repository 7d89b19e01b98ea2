// `bot why` prints the history of an order; `bot why-not` prints the findings that hold now. The steps of an order and their texts:
// `research/order-history.ts`.

import { systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { type Now, readNow } from '../../../bot/run/core/now.ts';
import { NOTHING_HELD, reasonsOf, streamWords, wantedWords } from '../../../bot/run/state/reasons.ts';
import { explainOrder, type FoundOrder, type Step } from '../../../research/order-history.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { type PageRow, pageLine } from '../../output/words.ts';
import { flagFor, resolveState } from '../../resolve-state.ts';
import { isRunAlive } from '../../run-alive.ts';
import type { WhyFlags } from './command.ts';

/** Prints the history of an order. Throws a UserError `order` if the text matches no order of the run, or several. */
export async function why(order: string, run: string | undefined, flags: WhyFlags, host: Host): Promise<ExitCode> {
  const { directory, facts } = resolveState(flags, 'newest', host);
  const explained = await explainOrder(order, { directory, run: facts.run }, (text) => say(host.stderr, text));
  say(host.stdout, flags.json ? JSON.stringify(explained) : orderWords(explained, explained.steps));
  return 0;
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
