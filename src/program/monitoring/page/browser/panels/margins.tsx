// Margin use of the account; and the meter of a limit, also for the limits of a fleet.
import { grouped, money, percent } from '../format.ts';
import { market, status } from '../state/store.ts';

export function Margins() {
  const { shares, margins, holdings = {}, markets = {} } = status.value ?? {};
  if (shares === undefined || margins === undefined) return null;
  const { liquidation } = holdings[market.value] ?? {};
  const { mark } = markets[market.value] ?? {};
  return (
    <section class="margins" aria-label="distance to the margins">
      <MarginMeter name="new orders refused" share={shares.open} text={`requires ${money(margins.imf)} of ${money(margins.omf)}`} />
      {shares.cancel !== undefined && margins.cmf !== undefined && (
        <MarginMeter name="open orders cancelled" share={shares.cancel} text={`requires ${money(margins.cmf)} of ${money(margins.omf)}`} />
      )}
      <MarginMeter
        name="liquidation"
        share={shares.maintenance}
        text={`requires ${money(margins.mmf)} of ${money(margins.mf)}${liquidationText(liquidation, mark)}`}
      />
    </section>
  );
}

/** Returns the text of the liquidation price; `far away` if it is more than twice the current price. */
function liquidationText(liquidation: string | undefined, mark: string | undefined): string {
  if (liquidation === undefined || mark === undefined) return '';
  const away = Number(liquidation) / Number(mark) - 1;
  return away > 1 ? '; far away' : `; at ${grouped(liquidation)} (${away > 0 ? '+' : ''}${percent(away)})`;
}

/** Returns the CSS class of a meter. */
function nearness(share: number): string {
  if (share < 0.5) return 'far';
  return share < 0.8 ? 'near' : 'close';
}

/** A bar of how much of a limit is used: `share` from 0 to 1. */
export function MarginMeter({ name, share, text }: { name: string; share: number; text: string }) {
  return (
    <div class={`margin ${nearness(share)}`}>
      <span class="label">{name}</span>
      <span class="bar" role="meter" aria-valuenow={Math.round(share * 100)} aria-valuemin={0} aria-valuemax={100} aria-label={name}>
        <i style={{ width: `${Math.max(0.5, share * 100)}%` }} />
      </span>
      <b>{percent(share)}</b>
      <span class="note">{text}</span>
    </div>
  );
}
