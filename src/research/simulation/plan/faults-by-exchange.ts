// Which faults each exchange can have, and how they differ there.
import { ALL_KINDS, type DrawnKind, STREAM_KINDS } from './faults.ts';

/** The exchanges on which the simulation plays. */
export const PLAYED_EXCHANGES = ['hosted', 'hyperliquid'] as const;
export type ExchangeName = (typeof PLAYED_EXCHANGES)[number];
export const DEFAULT_EXCHANGE = 'hosted' satisfies ExchangeName;

/** The kinds of fault that an exchange cannot have, and why. */
const NOT_AT: Readonly<Record<ExchangeName, Partial<Readonly<Record<DrawnKind, string>>>>> = {
  hosted: { limited: 'its limit is answered with `status`' },
  hyperliquid: {
    stale: 'no cache keeps the answer to a POST request',
    backward: 'the time of blocks never goes back',
    evict: 'there are no sessions',
    shorten: 'there are no sessions',
    shortAccount: 'an account is three answers, and none of them has a part that could be missing',
    relist: 'the terms of a market do not change while it trades',
    decimals: 'the terms of a market do not change while it trades',
    rollback: 'all nodes agree on what was executed before it is confirmed',
    frameSwapped: 'its frames have no numbers: how old a book is follows from the order of a socket, which TCP keeps',
  },
};

/** Profiles that are not played on an exchange, and why. */
const NOT_PLAYED_AT: Readonly<Record<ExchangeName, Readonly<{ [profile: string]: string | undefined }>>> = {
  hosted: {},
  hyperliquid: {
    rollback: NOT_AT.hyperliquid.rollback,
    liar: 'its lies are about fields of the hosted exchange, such as its own counts of orders, which Hyperliquid does not report',
  },
};

/** Returns why the profile is not played on the exchange; undefined if it is. */
export const whyNotPlayed = (exchange: ExchangeName, profile: string): string | undefined => NOT_PLAYED_AT[exchange][profile];

const possibleAt = (exchange: ExchangeName, kinds: readonly DrawnKind[]): readonly DrawnKind[] =>
  kinds.filter((kind) => NOT_AT[exchange][kind] === undefined);

export const kindsOf = (exchange: ExchangeName): readonly DrawnKind[] => possibleAt(exchange, ALL_KINDS);
export const streamKindsOf = (exchange: ExchangeName): readonly DrawnKind[] => possibleAt(exchange, STREAM_KINDS);

/** Faults that the bot must survive. An exchange that loses what it has confirmed is not among them. */
export const survivableOn = (exchange: ExchangeName): readonly DrawnKind[] => kindsOf(exchange).filter((kind) => kind !== 'rollback');
