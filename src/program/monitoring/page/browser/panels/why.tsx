// The history of one order: intent, findings of the guards, action, and result.
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { clock } from '../format.ts';
import { getWhy, type OrderExplanation } from '../state/server.ts';
import { isUtc } from '../state/settings.ts';
import { shownOrder } from '../state/store.ts';

const found = signal<OrderExplanation | Error | undefined>(undefined);

effect(() => {
  const order = shownOrder.value;
  found.value = undefined;
  if (order === undefined) return;
  const run = new URLSearchParams(location.search).get('run') ?? undefined;
  const answer = (value: OrderExplanation | Error): void => {
    if (shownOrder.value === order) found.value = value;
  };
  getWhy(run, order).then(answer, answer);
});

/** The browser keeps the focus in the dialog, closes it on Escape, and then returns the focus. */
export function WhyPanel() {
  const element = useRef<HTMLDialogElement>(null);
  const isShown = shownOrder.value !== undefined;
  useEffect(() => {
    if (isShown) element.current?.showModal();
  }, [isShown]);
  if (!isShown) return null;
  const why = found.value;
  const close = (): void => element.current?.close();
  return (
    <dialog
      class="dialog"
      aria-label="history of an order"
      ref={element}
      onClose={() => (shownOrder.value = undefined)}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div>
        <h2>
          why <span class="note">client order {shownOrder.value}</span>
          <button type="button" class="plain" onClick={close} title="close (Escape)">
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
    </dialog>
  );
}
