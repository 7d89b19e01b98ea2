# Plays a crossover of two averages on candles by backtesting.py, backtrader, vectorbt or pandas, for candles.ts: reads one JSON request a line and
# answers each with one line, which has the CPU seconds of the process, all threads, from its start. Each package is imported where it is used.
import json
import sys
import time

import numpy
import pandas

CASH = 10_000_000


def averages(closes, at):
    return tuple(closes.rolling(count).mean() for count in (at["fast"], at["slow"]))


def with_backtesting(candles, at):
    """Orders are filled at the next open."""
    import backtesting

    class Crossover(backtesting.Strategy):
        def init(self):
            average = lambda values, count: pandas.Series(values).rolling(count).mean()
            self.fast = self.I(average, self.data.Close, at["fast"])
            self.slow = self.I(average, self.data.Close, at["slow"])

        def next(self):
            above = self.fast[-1] > self.slow[-1]
            if above and not self.position.is_long:
                self.position.close()
                self.buy(size=1)
            elif not above and not self.position.is_short:
                self.position.close()
                self.sell(size=1)

    result = backtesting.Backtest(candles, Crossover, cash=CASH, margin=0.1).run()
    return len(result["_trades"]) + len(result["_strategy"].trades)


def with_backtrader(candles, at):
    """Orders are filled at the next open."""
    import backtrader

    class Crossover(backtrader.Strategy):
        def __init__(self):
            self.fast = backtrader.ind.SMA(period=at["fast"])
            self.slow = backtrader.ind.SMA(period=at["slow"])
            self.filled = 0

        def notify_order(self, order):
            self.filled += order.status == order.Completed

        def next(self):
            self.order_target_size(target=1 if self.fast[0] > self.slow[0] else -1)

    engine = backtrader.Cerebro(stdstats=False)
    engine.broker.setcash(CASH)
    engine.adddata(backtrader.feeds.PandasData(dataname=candles))
    engine.addstrategy(Crossover)
    return engine.run()[0].filled


def target_of(closes, at):
    """Returns the position after each close, in units; not a number while the slow average is not known."""
    fast, slow = averages(closes, at)
    return pandas.Series(numpy.where(slow.notna(), numpy.where(fast > slow, 1.0, -1.0), numpy.nan), index=closes.index)


def with_vectorbt(candles, at):
    """Orders are filled at the close."""
    import vectorbt

    target = target_of(candles.Close, at)
    portfolio = vectorbt.Portfolio.from_orders(candles.Close, size=target, size_type="targetamount", init_cash=CASH)
    portfolio.total_profit()
    return len(portfolio.orders.records)


def with_pandas(candles, at):
    """Whole columns at once: no cash, no orders. Positions are taken at the close."""
    position = target_of(candles.Close, at).fillna(0)
    (CASH + (position.shift() * candles.Close.diff()).cumsum()).iloc[-1]
    return int((position.diff() != 0).sum() - 1)


PLAYS = {"backtesting.py": with_backtesting, "backtrader": with_backtrader, "vectorbt": with_vectorbt, "pandas": with_pandas}
read = {}
for line in sys.stdin:
    request = json.loads(line)
    file = request["file"]
    if file not in read:
        read[file] = pandas.read_csv(file, index_col="time", parse_dates=["time"])
    fills = PLAYS[request["do"]](read[file], request)
    print(json.dumps({"fills": fills, "cpu": time.process_time()}), flush=True)
