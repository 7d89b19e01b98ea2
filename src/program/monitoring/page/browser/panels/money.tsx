// Position, profit, equity, fills and prices of the run, as tiles.
import type { ComponentChildren } from 'preact';
import { grouped, money, percent, signed, tone } from '../format.ts';
import { market, now, status } from '../state/store.ts';

export function Money() {
  const shown = status.value;
  if (shown === undefined) return null;
  const { pnl, trading, fees, funding, today, equity, drawdown, fills, provisional, volume } = shown;
  const fee = String(-Number(fees));
  return (
    <section class="tiles" aria-label="position and profit">
      <Position />
      <Tile name="profit" tone={tone(pnl)} value={signed(pnl)}>
        trading <b class={tone(trading)}>{signed(trading)}</b> · fees <b class={tone(fee)}>{signed(fee)}</b> · funding{' '}
        <b class={tone(funding)}>{signed(funding)}</b>
      </Tile>
      <Tile name="today" tone={tone(today)} value={signed(today)}>
        since midnight UTC
      </Tile>
      <Tile name="equity" title={EQUITY} value={equity === undefined ? '–' : money(equity)}>
        max drawdown <b class={tone(`-${drawdown}`)}>{money(drawdown)}</b>
      </Tile>
      <Tile name="fills" value={grouped(String(fills))}>
        volume {money(volume)}
        {provisional === undefined ? '' : ` · ${provisional} provisional`}
      </Tile>
      <Prices />
    </section>
  );
}

const EQUITY =
  'the worth of the account as the exchange states it: the hosted and the embedded exchange count positions at the index price; profit counts them at the mark price';

interface TileParts {
  readonly name: string;
  /** What the value means. Shown on hover and on focus. */
  readonly title?: string | undefined;
  readonly value: string;
  readonly tone?: string;
  readonly children?: ComponentChildren;
}

export function Tile({ name, title, value, tone: colour = '', children }: TileParts) {
  return (
    <div class="tile" tabIndex={title === undefined ? undefined : 0}>
      <h2>{name}</h2>
      <p class={`value ${colour}`}>{value}</p>
      <p class="note">{children}</p>
      {title !== undefined && (
        <p class="tip" role="tooltip">
          {title}
        </p>
      )}
    </div>
  );
}

function Position() {
  const size = status.value?.positions[market.value];
  const holding = status.value?.holdings[market.value];
  if (size === undefined) {
    return (
      <Tile name="position" value="flat">
        {status.value?.openOrders} open orders
      </Tile>
    );
  }
  const isLong = !size.startsWith('-');
  return (
    <Tile
      name="position"
      tone={isLong ? 'up' : 'down'}
      value={`${isLong ? '▲' : '▼'} ${size.replace('-', '')} ${isLong ? 'long' : 'short'}`}
    >
      {holding?.entry !== undefined && <>from {grouped(holding.entry)} · </>}
      {holding !== undefined && (
        <>
          unrealised <b class={tone(holding.pnl)}>{signed(holding.pnl)}</b>
        </>
      )}
    </Tile>
  );
}

function Prices() {
  const { mark, index, funding, nextFunding, frozen } = status.value?.markets[market.value] ?? {};
  if (mark === undefined && index === undefined) return null;
  const minutes = nextFunding === undefined ? undefined : Math.max(0, Math.round((nextFunding - now.value) / 60_000));
  return (
    <Tile
      name={frozen === true ? 'mark · market frozen' : 'mark'}
      tone={frozen === true ? 'down' : ''}
      value={grouped(mark ?? index ?? '')}
    >
      {index !== undefined && mark !== undefined && <>index {grouped(index)} · </>}
      {funding !== undefined && (
        <>
          funding {percent(funding, 4)}/h{minutes !== undefined && ` in ${minutes} min`}
        </>
      )}
    </Tile>
  );
}
