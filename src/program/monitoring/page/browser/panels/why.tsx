// The history of one order: intent, findings of the guards, action, and result.
import { effect, signal } from '@preact/signals';
import { clock } from '../format.ts';
import { getWhy, type OrderExplanation } from '../state/server.ts';
import { isUtc } from '../state/settings.ts';
import { shownOrder } from '../state/store.ts';

const found = signal<OrderExplanation | Error | undefined>(undefined);
/** The element that had the focus when the dialog was opened; it gets it back. */
const opener: { element: Element | null } = { element: null };
const close = (): void => {
  shownOrder.value = undefined;
  if (opener.element instanceof HTMLElement) opener.element.focus();
};
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && shownOrder.value !== undefined) close();
});

effect(() => {
  const order = shownOrder.value;
  found.value = undefined;
  if (order === undefined) return;
  opener.element = document.activeElement;
  const run = new URLSearchParams(location.search).get('run') ?? undefined;
  const answer = (value: OrderExplanation | Error): void => {
    if (shownOrder.value === order) found.value = value;
  };
  getWhy(run, order).then(answer, answer);
});

export function WhyPanel() {
  if (shownOrder.value === undefined) return null;
  const why = found.value;
  return (
    <div class="veil" onClick={(event) => event.target === event.currentTarget && close()}>
      <div class="dialog" role="dialog" aria-modal="true" aria-label="history of an order">
        <h2>
          why <span class="note">client order {shownOrder.value}</span>
          <button type="button" class="plain" onClick={close} title="close (Escape)" ref={(button) => button?.focus()}>
            ×
          </button>
        </h2>
        {why === undefined && <p class="empty">reading the journal and the recordings …</p>}
        {why instanceof Error && <p class="empty">{why.message}</p>}
        {why !== undefined && !(why instanceof Error) && (
          <ol>
            {why.steps.map(({ at, step, text }) => (
              <li key={`${at}${step}${text}`}>
                <time>{clock(Date.parse(at), isUtc.value)}</time>
                <b class={step}>{step}</b>
                <span>{text}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </div>
  );
}
