// The log: orders, fills, findings, alarms and the strategy's log lines. A click on an order or a fill shows its history.
import { signal } from '@preact/signals';
import { type HeldText, heldBy } from '../../../../../bot/run/state/reasons.ts';
import type { PageLine } from '../../contract.ts';
import { clock, grouped } from '../format.ts';
import { isUtc } from '../state/settings.ts';
import { lines, shownOrder } from '../state/store.ts';

const KINDS = ['all', 'fill', 'correction', 'unbooked', 'order', 'finding', 'alarm', 'log'] as const;
type Kind = (typeof KINDS)[number];
const SHOWN = 120;

const kind = signal<Kind>('all');
const filter = signal('');

/** A line with the fields of all kinds. */
type AnyLine = PageLine &
  Partial<
    Record<
      | 'market'
      | 'side'
      | 'price'
      | 'size'
      | 'status'
      | 'reason'
      | 'guard'
      | 'verdict'
      | 'fee'
      | 'role'
      | 'alarm'
      | 'text'
      | 'level'
      | 'clientOrderId'
      | 'orderId',
      string
    >
  >;

export function Log() {
  const wanted = filter.value.trim().toLowerCase();
  const shown = (lines.value as readonly AnyLine[])
    .filter((line) => (kind.value === 'all' || line.kind === kind.value) && (wanted === '' || textOf(line).toLowerCase().includes(wanted)))
    .slice(-SHOWN)
    .reverse();
  return (
    <section class="panel log">
      <h2>
        log
        <span class="filters">
          {KINDS.map((name) => (
            <button key={name} type="button" class={`chip ${kind.value === name ? 'on' : ''}`} onClick={() => (kind.value = name)}>
              {name}
            </button>
          ))}
          <input
            type="search"
            placeholder="order, price, guard …"
            aria-label="filter the log"
            value={filter.value}
            onInput={(event) => (filter.value = event.currentTarget.value)}
          />
        </span>
      </h2>
      <div class="rows">
        {shown.map((line, rank) => (
          <LogRow key={`${line.at}${line.kind}${line.clientOrderId ?? ''}${shown.length - rank}`} line={line} />
        ))}
        {shown.length === 0 && <p class="empty">nothing yet</p>}
      </div>
    </section>
  );
}

function LogRow({ line }: { line: AnyLine }) {
  const id = line.clientOrderId ?? line.orderId;
  const isOrder = (line.kind === 'order' || line.kind === 'fill' || line.kind === 'correction') && id !== undefined && id !== '';
  return (
    <div class={`entry ${line.kind} ${line.side ?? ''} ${line.status ?? ''}`}>
      <time>{clock(Date.parse(line.at), isUtc.value)}</time>
      <span class="what">{whatOf(line)}</span>
      <span class="text">{wordsOf(line)}</span>
      {isOrder && (
        <button type="button" class="why" title={id} onClick={() => (shownOrder.value = id)}>
          why
        </button>
      )}
    </div>
  );
}

function whatOf({ kind: name, side, status, reason }: AnyLine): string {
  if (name === 'fill') return side === 'bid' ? '▲ bought' : '▼ sold';
  if (name !== 'order') return name;
  return status === 'rejected' && reason?.startsWith('NOT_SENT') === true ? 'not sent' : (status ?? '');
}

function wordsOf(line: AnyLine): string {
  const { side, size, market, price, fee, role, reason, alarm, text } = line;
  if (line.kind === 'fill' || line.kind === 'correction' || line.kind === 'unbooked') {
    const mark = line.provisional === undefined ? '' : ', provisional';
    return `${size} ${market} at ${grouped(price ?? '')}, ${role}${fee === undefined ? '' : `, fee ${fee}`}${mark}`;
  }
  if (line.kind === 'order') return `${side} ${size} ${market} at ${grouped(price ?? '')}${reason === undefined ? '' : `: ${reason}`}`;
  if (line.kind === 'finding') return `${heldBy(line as AnyLine & HeldText)}: ${reason}`;
  if (line.kind === 'alarm') return `${[alarm, market].filter((part) => part !== undefined).join(' ')}: ${reason}`;
  const fields = Object.entries((line['fields'] ?? {}) as Readonly<Record<string, unknown>>);
  return [text, ...fields.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)].join(' ');
}

const textOf = (line: AnyLine): string =>
  `${whatOf(line)} ${wordsOf(line)} ${line.price ?? ''} ${line.clientOrderId ?? ''} ${line.orderId ?? ''}`;
