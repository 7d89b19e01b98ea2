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
  /** `allTime` of each position, by coin, as of the last account whose changes of it were explained by the payments listed to us. */
  #shown: ReadonlyMap<string, number> | undefined;
  /** Only payments after this time count. It does not move, because a payment may be listed late; `#counted` has those that count already. */
  #since: Millis | undefined;
  readonly #counted = new Set<string>();

  /** `since`: the exchange's time from which payments count; that of the first account if it is absent. */
  constructor(ask: AskInfo, { user, since }: { readonly user: string; readonly since: Millis | undefined }) {
    this.#ask = ask;
    this.#user = user;
    this.#since = since;
  }

  /** Returns what was paid until the time of the account. Rejects with a ClientError. */
  async upTo({ time, assetPositions }: State): Promise<PaidByCoin> {
    const shown = new Map(assetPositions.map(({ position: { coin, cumFunding } }) => [coin, cumFunding.allTime]));
    if (this.#since === undefined) [this.#since, this.#shown] = [time, shown];
    if (isDeepStrictEqual(this.#shown, shown)) return this.#paid;
    const paidBefore = new Map(this.#paid);
    await this.#read(this.#since, time);
    const shownBefore = this.#shown;
    // Payments may be listed later than a position shows them.
    const isExplained = [...shown].every(([coin, sum]) => {
      const moved = sum - (shownBefore?.get(coin) ?? sum);
      const counted = (this.#paid.get(coin) ?? 0) - (paidBefore.get(coin) ?? 0);
      return Math.abs(moved - counted) < ROUNDING;
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
