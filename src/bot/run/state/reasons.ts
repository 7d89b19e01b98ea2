// Why a run trades nothing, or not all that its strategy wants: one list for the live view, the web page and `bot why-not`. It also runs in a browser.

import type { Side } from '../../domain/book.ts';
import type { Mode } from '../../domain/mode.ts';

/** The number of levels of a quote on each side, or the position of a target, with the symbol of its market. */
export type IntentText =
  | { readonly market: string; readonly bids: number; readonly asks: number }
  | { readonly market: string; readonly position: string };

/** A finding that holds now; `market` is a symbol. */
export interface HeldText {
  readonly guard: string;
  readonly verdict: keyof typeof VERDICTS;
  readonly side?: Side | undefined;
  readonly market?: string | undefined;
  readonly reason: string;
}

/** What the reasons follow from. */
export interface ReasonInputs<Held extends HeldText = HeldText> {
  readonly mode: Mode;
  readonly modeReason?: string | undefined;
  readonly stopping?: string | undefined;
  /** Unhealthy streams, with their reasons. */
  readonly unhealthy: readonly string[];
  readonly held: readonly Held[];
  /** Orders without a definite answer. */
  readonly unknown: number;
}

export interface Reason<Held extends HeldText = HeldText> {
  readonly what: 'stopping' | 'mode' | 'stream' | 'guard' | 'unknown';
  readonly text: string;
  /** The finding, if it is one. */
  readonly held?: Held;
}

const VERDICTS = { shrink: 'shrinks', refuse: 'refuses', hold: 'holds', close: 'closes', stale: 'is stale', report: 'reports' } as const;

/** The text if there is no reason. */
export const NOTHING_HELD = 'nothing: no guard or gate acts';

/** The most important first; empty if nothing is held back. */
export function reasonsOf<Held extends HeldText>({
  mode,
  modeReason,
  stopping,
  unhealthy,
  held,
  unknown,
}: ReasonInputs<Held>): readonly Reason<Held>[] {
  return [
    ...(stopping === undefined ? [] : [{ what: 'stopping', text: stopping } as const]),
    ...(mode === 'active' ? [] : [{ what: 'mode', text: modeReason ?? mode } as const]),
    ...unhealthy.map((text) => ({ what: 'stream', text }) as const),
    ...firstOfEach(held).map((finding) => ({ what: 'guard', text: `${heldBy(finding)}: ${finding.reason}`, held: finding }) as const),
    ...(unknown === 0 ? [] : [{ what: 'unknown', text: unknownWords(unknown) } as const]),
  ];
}

/** Returns the first finding of each guard, verdict, side and market: a guard may refuse every level of a quote. */
export function firstOfEach<Held extends HeldText>(held: readonly Held[]): readonly Held[] {
  const first = new Map<string, Held>();
  for (const finding of held) if (!first.has(heldBy(finding))) first.set(heldBy(finding), finding);
  return [...first.values()];
}

/** `margin refuses bid BTCUSDC` */
export const heldBy = ({ guard, verdict, side, market }: Omit<HeldText, 'reason'>): string =>
  [guard, VERDICTS[verdict], side, market].filter((part) => part !== undefined).join(' ');

/** `BTCUSDC: no order book for more than 3 s` */
export const streamWords = (reason: string, symbol: string | undefined): string => (symbol === undefined ? reason : `${symbol}: ${reason}`);

const unknownWords = (count: number): string =>
  count === 1
    ? 'one order has no definite answer yet; it counts as open'
    : `${count} orders have no definite answer yet; they count as open`;

/** What the strategy wants, which is the reason for standing still if nothing is held back. */
export function wantedWords(intents: readonly IntentText[]): string {
  return `the strategy wants ${intents.length === 0 ? 'no order and no position' : intents.map(intentWords).join('; ')}`;
}

function intentWords(intent: IntentText): string {
  if ('position' in intent) return `a position of ${intent.position} ${intent.market}`;
  const [bids, asks] = [numbered(intent.bids, 'bid'), numbered(intent.asks, 'ask')];
  return intent.bids + intent.asks === 0 ? `no order in ${intent.market}` : `${bids} and ${asks} in ${intent.market}`;
}

const numbered = (count: number, noun: string): string => `${count === 0 ? 'no' : count} ${noun}${count === 1 ? '' : 's'}`;
