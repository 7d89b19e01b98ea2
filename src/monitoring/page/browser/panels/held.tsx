// Why nothing is happening: what is held back now, by which guard, since when.
import { age } from '../format.ts';
import { ended, facts, held, now, orders, status } from '../state/store.ts';

const VERBS = { shrink: 'shrinks', refuse: 'refuses', hold: 'holds', stale: 'is stale' } as const;

export function Held() {
  const { unhealthy = [], stopping, mode = 'active', modeReason, unknown = 0 } = status.value ?? {};
  const isFree = held.value.length + unhealthy.length === 0 && stopping === undefined && mode === 'active' && unknown === 0;
  return (
    <section class="panel held">
      <h2>held back</h2>
      {mode !== 'active' && <Row who={`mode ${mode}`} text={modeReason ?? ''} isBad />}
      {stopping !== undefined && !ended.value && <Row who="stopping" text={stopping} isBad />}
      {unhealthy.map((reason) => (
        <Row key={reason} who="stream" text={reason} isBad />
      ))}
      {unknown > 0 && <Row who="unknown orders" text={`${unknown} without a definite answer; their levels stay locked`} isBad />}
      {held.value.map(({ guard, market, side, verdict, since, text }) => (
        <Row
          key={`${guard}/${market}/${side}/${verdict}`}
          who={`${guard} ${VERBS[verdict]} ${[side, market].filter((part) => part !== undefined).join(' ')}`}
          text={text}
          since={age(now.value - since)}
        />
      ))}
      {isFree && (
        <p class="empty">
          {orders.value.length === 0 ? 'nothing is held back; the strategy wants no order now' : 'nothing: no guard or gate acts'}
        </p>
      )}
      <Params />
    </section>
  );
}

/** The parameters that the strategy was started with. */
function Params() {
  const params = Object.entries((facts.value?.params ?? {}) as Readonly<Record<string, unknown>>);
  if (params.length === 0) return null;
  return (
    <dl class="params">
      <h2>parameters</h2>
      {params.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </>
      ))}
    </dl>
  );
}

function Row({ who, text, since, isBad = false }: { who: string; text: string; since?: string; isBad?: boolean }) {
  return (
    <div class={`cause ${isBad ? 'bad' : ''}`}>
      <b>{who}</b>
      {since !== undefined && <span class="since">{since}</span>}
      <p>{text}</p>
    </div>
  );
}
