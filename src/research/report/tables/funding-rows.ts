// Collects the funding payments of a run, as its accounts show them: one row for each change of what a position has paid or received.
import type { Millis } from '../../../base/clock.ts';
import { AccountFunding } from '../../../bot/domain/accounting/account-funding.ts';
import type { AccountSeen } from '../../../bot/domain/event.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, type Micros, micros, toDecimal } from '../../../bot/domain/numbers.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { type Table, tableOf } from './table.ts';

interface FundingRow {
  /** When the account was received that shows the payment. */
  readonly at: Millis;
  readonly market: Market;
  /** The position before. */
  readonly position: Lots;
  /** Positive if received. */
  readonly payment: Micros;
}

interface FundedMarket {
  readonly market: Market;
  readonly funding: AccountFunding;
  position: Lots;
  total: Micros;
}

export class FundingRows {
  readonly #perpetuals: readonly FundedMarket[];
  readonly #rows: FundingRow[] = [];

  constructor(markets: readonly Market[]) {
    this.#perpetuals = markets
      .filter(({ spec }) => spec.kind === 'perp')
      .map((market) => ({ market, funding: new AccountFunding([market]), position: lots(0), total: micros(0) }));
  }

  see({ events, fills }: Pick<Turn, 'events' | 'fills'>): void {
    for (const { market, funding } of this.#perpetuals) funding.filled(fills.filter((fill) => fill.market === market.id));
    for (const event of events) {
      if (event.kind === 'accountSeen') this.#addAccount(event);
      if (event.kind === 'infoSeen') for (const { funding } of this.#perpetuals) funding.infoSeen(event);
    }
  }

  #addAccount({ account, asked, at }: AccountSeen): void {
    for (const perpetual of this.#perpetuals) {
      const { market, funding, position } = perpetual;
      const positions = account.positions.filter((held) => held.market === market.id);
      funding.accountSeen({ account: { ...account, positions }, asked });
      const { total } = funding;
      if (total !== perpetual.total) this.#rows.push({ at, market, position, payment: micros(total - perpetual.total) });
      perpetual.total = total;
      perpetual.position = positions[0]?.size ?? lots(0);
    }
  }

  table(): Table {
    return tableOf('funding', this.#rows, [
      ['time', 'time', ({ at }) => at],
      ['market', 'text', ({ market }) => market.symbol],
      ['position', 'decimal', ({ market, position }) => market.sizeText(position)],
      ['payment', 'decimal', ({ payment }) => toDecimal(payment).toFixed(6)],
    ]);
  }
}
