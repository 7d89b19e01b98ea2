// Which faults each exchange can have, and how they differ there.
import { ALL_KINDS, type DrawnKind } from './faults.ts';

/** The exchanges on which the simulation plays. */
export const PLAYED_EXCHANGES = ['hosted', 'hyperliquid'] as const;
export type ExchangeName = (typeof PLAYED_EXCHANGES)[number];
export const DEFAULT_EXCHANGE = 'hosted' satisfies ExchangeName;

/** Why an exchange cannot have them. */
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
  },
};

export const kindsOf = (exchange: ExchangeName): readonly DrawnKind[] => ALL_KINDS.filter((kind) => NOT_AT[exchange][kind] === undefined);

/** Faults that the bot must survive. An exchange that loses what it has confirmed is not among them. */
export const survivableOn = (exchange: ExchangeName): readonly DrawnKind[] => kindsOf(exchange).filter((kind) => kind !== 'rollback');
