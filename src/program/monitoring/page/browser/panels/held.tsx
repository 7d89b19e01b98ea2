// Findings that hold now: guard, market, reason, and since when. They explain why the run does not trade.
import { heldBy, NOTHING_HELD, reasonsOf, wantedWords } from '../../../../../bot/run/state/reasons.ts';
import { age } from '../format.ts';
import { ended, facts, held, now, status } from '../state/store.ts';

export function Held() {
  const shown = status.value;
  const findings = held.value.map((finding) => ({ ...finding, reason: finding.text }));
  const reasons = shown === undefined ? [] : reasonsOf({ ...shown, stopping: ended.value ? undefined : shown.stopping, held: findings });
  return (
    <section class="panel held">
      <h2>held back</h2>
      {reasons.map(({ what, text, held: finding }) =>
        finding === undefined ? (
          <Row key={text} who={what} text={text} isBad />
        ) : (
          <Row key={heldBy(finding)} who={heldBy(finding)} text={finding.reason} since={age(now.value - finding.since)} />
        ),
      )}
      {reasons.length === 0 && <p class="empty">{NOTHING_HELD}</p>}
      {shown !== undefined && !ended.value && <p class="wanted">{wantedWords(shown.intents)}</p>}
      <Params />
    </section>
  );
}

/** Shows the parameters of the strategy. */
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
