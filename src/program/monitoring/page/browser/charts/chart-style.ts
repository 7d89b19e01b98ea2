// The style of both charts, with the colours of the style sheet.
import { type ChartOptions, type DeepPartial, TickMarkType, type Time } from 'lightweight-charts';
import { clock, date } from '../format.ts';

/** Returns a colour of the style sheet by its name. */
export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Returns the options of a chart, with its times in UTC or in local time. */
export function chartStyle(isUtc: boolean): DeepPartial<ChartOptions> {
  const text = (time: Time): string => clock(Number(time) * 1_000, isUtc);
  const dayText = (time: Time): string => date(Number(time) * 1_000, isUtc).slice(5, 10);
  return {
    layout: {
      background: { color: 'transparent' },
      textColor: colour('quiet'),
      fontSize: 11,
      attributionLogo: true,
      panes: { separatorColor: colour('edge') },
    },
    grid: { vertLines: { color: colour('grid') }, horzLines: { color: colour('grid') } },
    rightPriceScale: { borderColor: colour('edge') },
    timeScale: {
      borderColor: colour('edge'),
      timeVisible: true,
      secondsVisible: true,
      rightOffset: 4,
      tickMarkFormatter: (time: Time, type: TickMarkType) => (type < TickMarkType.Time ? dayText(time) : text(time)),
    },
    crosshair: { vertLine: { labelBackgroundColor: colour('lift') }, horzLine: { labelBackgroundColor: colour('lift') } },
    localization: { timeFormatter: (time: Time) => `${dayText(time)} ${text(time)}` },
    autoSize: true,
    handleScroll: { vertTouchDrag: false },
  };
}
