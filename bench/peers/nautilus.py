# Runs NautilusTrader, for peers.ts and candles.ts: reads one JSON request a line and answers each with one line, which has the CPU seconds of the
# process, all threads, from its start.
import json
import shutil
import sys
import time
from datetime import timedelta
from decimal import Decimal

import pandas
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import FillModel, LatencyModel
from nautilus_trader.config import LoggingConfig, RiskEngineConfig
from nautilus_trader.indicators import SimpleMovingAverage
from nautilus_trader.model.currencies import BTC, USDT
from nautilus_trader.model.data import BarType, OrderBookDelta, OrderBookDeltas, TradeTick
from nautilus_trader.model.enums import (
    AccountType, AggressorSide, BookAction, BookType, OmsType, OrderSide, OrderStatus, RecordFlag, TimeInForce,
)
from nautilus_trader.model.identifiers import InstrumentId, Symbol, TradeId, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import FIXED_PRECISION, Money, Price, Quantity
from nautilus_trader.persistence.catalog import ParquetDataCatalog
from nautilus_trader.persistence.wranglers import BarDataWrangler
from nautilus_trader.trading.strategy import Strategy

MICRO = 1_000
MILLI = 1_000_000
VENUE = Venue("PEERS")
MARKET = InstrumentId(Symbol("MARKET"), VENUE)


def instrument(at):
    """Returns the market. Currencies do not matter: prices and sizes have the steps of the tape."""
    prices, sizes = at["priceDecimals"], at["sizeDecimals"]
    return CryptoPerpetual(
        instrument_id=MARKET, raw_symbol=MARKET.symbol, base_currency=BTC, quote_currency=USDT, settlement_currency=USDT, is_inverse=False,
        price_precision=prices, size_precision=sizes,
        price_increment=Price(10**-prices, prices), size_increment=Quantity(10**-sizes, sizes),
        margin_init=Decimal("0.05"), margin_maint=Decimal("0.025"),
        maker_fee=Decimal(str(at["makerFee"])), taker_fee=Decimal(str(at["takerFee"])), ts_event=0, ts_init=0,
    )


def engine_with(at, data, strategy, **venue):
    engine = BacktestEngine(BacktestEngineConfig(
        logging=LoggingConfig(bypass_logging=True), run_analysis=False,
        risk_engine=RiskEngineConfig(max_order_submit_rate="1000000/00:00:01", max_order_modify_rate="1000000/00:00:01"),
    ))
    engine.add_venue(
        VENUE, OmsType.NETTING, AccountType.MARGIN, [Money(at["deposit"], USDT)], base_currency=USDT, default_leverage=Decimal(20), **venue,
    )
    engine.add_instrument(instrument(at))
    for index, events in enumerate(data):
        engine.add_data(events, sort=index == len(data) - 1)
    engine.add_strategy(strategy)
    return engine


class Grid(Strategy):
    """Plays the rule of grid.ts at the looks of rule.ts."""

    def __init__(self, at, began):
        super().__init__()
        self.at = at
        self.began = began
        self.own = {}  # by price and side
        self.step = round(at["spacing"] * 10 ** at["priceDecimals"])
        self.lot = Quantity(at["size"], at["sizeDecimals"])
        self.net, self.fills, self.volume, self.looks = 0.0, 0, 0.0, 0

    def on_start(self):
        self.market = self.cache.instrument(MARKET)
        self.subscribe_order_book_deltas(MARKET, BookType.L2_MBP)
        interval = timedelta(milliseconds=self.at["lookMs"])
        first = pandas.Timestamp(self.began + (self.at["lookMs"] - self.at["latencyMs"]) * MILLI, tz="UTC")
        self.clock.set_timer("look", interval, start_time=first, callback=self.look, fire_immediately=True)

    def look(self, _event):
        self.looks += 1
        book = self.cache.order_book(MARKET)
        bid, ask = book.best_bid_price(), book.best_ask_price()
        if bid is None or ask is None or not bid < ask:
            return
        step, levels, most = self.step, self.at["levels"], self.at["maxPosition"]
        tick = 10 ** -self.at["priceDecimals"]
        centre = int((float(bid) + float(ask)) / 2 / tick / step + 0.5) * step
        bids = levels if self.net < most - 1e-9 else 0
        asks = levels if self.net > -most + 1e-9 else 0
        for key, order in self.own.items():
            price, buys = key >> 1, key & 1 == 0
            away = centre - price if buys else price - centre
            wanted = away > 0 and away % step == 0 and away // step <= (bids if buys else asks)
            if not wanted and order.status == OrderStatus.ACCEPTED:
                self.cancel_order(order)
        for away in range(1, levels + 1):
            if away <= bids:
                self.want(2 * (centre - away * step), OrderSide.BUY)
            if away <= asks:
                self.want(2 * (centre + away * step) + 1, OrderSide.SELL)

    def want(self, key, side):
        if key in self.own:
            return
        price = Price((key >> 1) * 10 ** -self.at["priceDecimals"], self.at["priceDecimals"])
        order = self.order_factory.limit(MARKET, side, self.lot, price, time_in_force=TimeInForce.GTC, post_only=True)
        self.own[key] = order
        self.submit_order(order)

    def on_order_filled(self, event):
        size = float(event.last_qty)
        self.fills += 1
        self.volume += size * float(event.last_px)
        self.net += size if event.order_side == OrderSide.BUY else -size
        self.forget(event)

    def on_order_canceled(self, event):
        self.forget(event)

    def on_order_rejected(self, event):
        self.forget(event)

    def on_order_denied(self, event):
        raise RuntimeError(f"denied: {event.reason}")

    def forget(self, event):
        order = self.cache.order(event.client_order_id)
        if order.is_closed:
            ticks = round(float(order.price) * 10 ** self.at["priceDecimals"])
            self.own.pop(2 * ticks + (0 if order.side == OrderSide.BUY else 1), None)


def convert(at):
    """Writes the book rows and trades of an exported tape as their catalog. Other rows are dropped."""
    import pyarrow.parquet

    prices, sizes = at["priceDecimals"], at["sizeDecimals"]
    price_unit, size_unit = 10 ** (FIXED_PRECISION - prices), 10 ** (FIXED_PRECISION - sizes)
    rows = pyarrow.parquet.read_table(at["parquet"]).to_pandas()
    rows = rows[rows.kind.isin(["level", "trade", "clear"])]
    deltas, trades = [], []
    times = rows.time.astype("datetime64[us, UTC]").astype("int64") * MICRO
    columns = (times, rows.kind, rows.side, rows.price_ticks, rows.size_lots, rows["last"], rows.snapshot)
    for stamp, kind, side, ticks, lots, last, snapshot in zip(*(column.tolist() for column in columns)):
        if kind == "trade":
            taker = AggressorSide.BUYER if side == "bid" else AggressorSide.SELLER
            trades.append(TradeTick.from_raw(
                MARKET, ticks * price_unit, prices, lots * size_unit, sizes, taker, TradeId(str(len(trades))), stamp, stamp,
            ))
            continue
        action = BookAction.CLEAR if kind == "clear" else BookAction.UPDATE if lots > 0 else BookAction.DELETE
        order_side = OrderSide.NO_ORDER_SIDE if kind == "clear" else OrderSide.BUY if side == "bid" else OrderSide.SELL
        flags = (RecordFlag.F_LAST if last else 0) | (RecordFlag.F_SNAPSHOT if snapshot else 0)
        deltas.append(OrderBookDelta.from_raw(
            MARKET, action, order_side, ticks * price_unit, prices, lots * size_unit, sizes, 0, flags, 0, stamp, stamp,
        ))
    shutil.rmtree(at["catalog"], ignore_errors=True)
    catalog = ParquetDataCatalog(at["catalog"])
    catalog.write_data([instrument(at)])
    catalog.write_data(deltas)
    catalog.write_data(trades)
    return {"deltas": len(deltas), "trades": len(trades)}


def events_of(at):
    """Reads the catalog: the changes of a book, one batch for each event, and the trades."""
    catalog = ParquetDataCatalog(at["catalog"])
    batches, batch = [], []
    for delta in catalog.query(OrderBookDelta, identifiers=[str(MARKET)]):
        batch.append(delta)
        if delta.flags & RecordFlag.F_LAST:
            batches.append(OrderBookDeltas(MARKET, batch))
            batch = []
    return batches, catalog.query(TradeTick, identifiers=[str(MARKET)])


loaded = {}


def run(at):
    """
    Runs a backtest of the grid. `way` says whether the catalog is read, or is in memory. Their data has no delay, so commands take both ways.
    A resting order whose price is only reached, and not crossed, does not fill: the nearest to a conservative queue.
    """
    if at["way"] == "memory" and at["catalog"] not in loaded:
        loaded.clear()
        loaded[at["catalog"]] = events_of(at)
    batches, trades = loaded[at["catalog"]] if at["way"] == "memory" else events_of(at)
    strategy = Grid(at, min(batches[0].ts_init, trades[0].ts_init))
    latency = LatencyModel(base_latency_nanos=2 * at["latencyMs"] * MILLI)
    engine = engine_with(
        at, [batches, trades], strategy,
        book_type=BookType.L2_MBP, latency_model=latency, fill_model=FillModel(prob_fill_on_limit=0.0), trade_execution=True,
    )
    engine.run()
    answer = {"looks": strategy.looks, "fills": strategy.fills, "volume": strategy.volume, "position": strategy.net}
    engine.dispose()
    return answer


class Crossover(Strategy):
    """Long while the fast average of the closes is above the slow one, short while it is below, as in candles.py."""

    def __init__(self, at, bar_type):
        super().__init__()
        self.bar_type = bar_type
        self.fast, self.slow = SimpleMovingAverage(at["fast"]), SimpleMovingAverage(at["slow"])
        self.size, self.decimals = at["size"], at["sizeDecimals"]
        self.target, self.fills = 0, 0

    def on_start(self):
        self.register_indicator_for_bars(self.bar_type, self.fast)
        self.register_indicator_for_bars(self.bar_type, self.slow)
        self.subscribe_bars(self.bar_type)

    def on_bar(self, _bar):
        if not self.slow.initialized:
            return
        target = 1 if self.fast.value > self.slow.value else -1
        if target != self.target:
            size = Quantity(abs(target - self.target) * self.size, self.decimals)
            self.submit_order(self.order_factory.market(MARKET, OrderSide.BUY if target > 0 else OrderSide.SELL, size))
        self.target = target

    def on_order_filled(self, _event):
        self.fills += 1


def crossover(at):
    """Runs the crossover on a file of candles."""
    candles = pandas.read_csv(at["file"], index_col="time", parse_dates=["time"])
    candles.columns = [name.lower() for name in candles.columns]
    bar_type = BarType.from_str(f"{MARKET}-1-MINUTE-LAST-EXTERNAL")
    if at["file"] not in loaded:
        loaded.clear()
        loaded[at["file"]] = BarDataWrangler(bar_type, instrument(at)).process(candles)
    strategy = Crossover(at, bar_type)
    engine = engine_with(at, [loaded[at["file"]]], strategy)
    engine.run()
    engine.dispose()
    return {"fills": strategy.fills}


PLAYS = {"convert": convert, "run": run, "crossover": crossover}
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({**PLAYS[request["do"]](request), "cpu": time.process_time()}), flush=True)
