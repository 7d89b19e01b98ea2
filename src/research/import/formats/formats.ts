// The formats that can be imported.
import { binance } from './binance.ts';
import { candles } from './candles/candles.ts';
import type { Format } from './feed-message.ts';
import { hyperliquid } from './hyperliquid.ts';
import { tardis } from './tardis.ts';

export type ImportFormat = 'binance' | 'tardis' | 'hyperliquid' | 'candles';

export const FORMATS: Readonly<Record<ImportFormat, Format>> = { binance, tardis, hyperliquid, candles };
