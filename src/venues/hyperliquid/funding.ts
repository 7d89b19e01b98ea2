// The funding that the account has paid, by coin. It is read again when the sums that a position shows have changed, or a position is gone.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import { rowsSince } from '../shared/cursor-pages.ts';
import type { AskInfo } from './requests.ts';
import * as shapes from './shapes.ts';

type State = Pick<z.output<typeof shapes.state>, 'time' | 'assetPositions'>;

/** In quote tokens; positive if it was paid. */
export type PaidByCoin = ReadonlyMap<string, number>;

/** Sums that differ by less count as equal, because each payment is rounded. */
const ROUNDING = 1e-5;

export class FundingReads {
  readonly #ask: AskInfo;
  readonly #user: string;
  readonly #paid = new Map<string, number>();
  /** The funding that each position showed as paid in all time, by coin, in the newest account whose payments were all listed. */
  #shown: ReadonlyMap<string, number> | undefined;
  /** Payments up to this time are counted. */
  #until: Millis | undefined;
  readonly #counted = new Set<string>();

  /** `since`: the exchange's time from which payments count; that of the first account if it is absent. */
  constructor(ask: AskInfo, { user, since }: { readonly user: string; readonly since: Millis | undefined }) {
    this.#ask = ask;
    this.#user = user;
    this.#until = since;
  }

  /** Returns what was paid until the time of the account. Rejects with a ClientError. */
  async upTo({ time, assetPositions }: State): Promise<PaidByCoin> {
    const shown = new Map(assetPositions.map(({ position: { coin, cumFunding } }) => [coin, cumFunding.allTime]));
    if (this.#until === undefined) [this.#until, this.#shown] = [time, shown];
    if (isDeepStrictEqual(this.#shown, shown)) return this.#paid;
    const paidBefore = new Map(this.#paid);
    await this.#read(this.#until, time);
    const shownBefore = this.#shown;
    // Payments may be listed later than a position shows them.
    const isExplained = [...shown].every(([coin, sum]) => {
      const moved = sum - (shownBefore?.get(coin) ?? sum);
      return Math.abs(moved - (this.#paid.get(coin) ?? 0) + (paidBefore.get(coin) ?? 0)) < ROUNDING;
    });
    if (shownBefore === undefined || isExplained) this.#shown = shown;
    return this.#paid;
  }

  async #read(from: Millis, endTime: Millis): Promise<void> {
    const fetchPage = (startTime: Millis) => this.#ask('userFunding', { shape: shapes.fundings }, { user: this.#user, startTime, endTime });
    for (const { time, delta } of await rowsSince(from, { fetchPage, pageSize: 1 })) {
      const key = `${time} ${delta.coin}`;
      if (time <= from || this.#counted.has(key)) continue;
      this.#counted.add(key);
      this.#paid.set(delta.coin, (this.#paid.get(delta.coin) ?? 0) - delta.usdc);
    }
  }
}
