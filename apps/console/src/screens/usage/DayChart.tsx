import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';
import { monthName } from '../../days.ts';
import { number, uiWords, useModelTitles } from '../../ui/index.ts';
import classes from './DayChart.module.css';
import { dayName } from './formats.ts';
import { type DayBar, type DayBars, type Month, type Series, ticksUpTo } from './usage.ts';
import { words } from './words.ts';

const HEIGHT = 240;
const BELOW = 24;
const PLOT = HEIGHT - BELOW - 8;
/** The width of the number of a day below its bar. */
const LABEL_WIDTH = 26;

interface DayChartProps extends DayBars {
  readonly month: Month;
  /** The sums of the month. */
  readonly summary: string;
}

/** The credits of each day as a bar, by model. The table below shows the same numbers. */
export function DayChart({ month, summary, series, bars }: DayChartProps) {
  const { ref, width } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const most = bars.reduce((one, other) => (other.used > one.used ? other : one));
  const label = words.chart(monthName(month), creditsOf(most.used), dayName(most.day));
  return (
    <figure style={{ margin: 0 }}>
      <Legend summary={summary} series={series} bar={pointed === null ? null : bars[pointed]!} />
      <div ref={ref} className={classes.plot}>
        {width > 0 && (
          <svg
            role="img"
            aria-label={label}
            width={width}
            height={HEIGHT}
            onPointerMove={(event) => setPointed(dayAt(event, bars.length))}
            onPointerLeave={() => setPointed(null)}
          >
            <Plot bars={bars} width={width} most={most.used} pointed={pointed} />
          </svg>
        )}
      </div>
    </figure>
  );
}

const creditsOf = (amount: number) => uiWords.credits(number(amount), amount === 1);

/** The width of the axis labels. */
const leftOf = (top: number) => 12 + number(top).length * 7;

function dayAt(event: PointerEvent<SVGSVGElement>, days: number): number | null {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const plot = Number(event.currentTarget.querySelector('[data-left]')?.getAttribute('data-left') ?? 0);
  const index = Math.floor(((event.clientX - left - plot) / (width - plot)) * days);
  return index >= 0 && index < days ? index : null;
}

interface PlotProps {
  readonly bars: readonly DayBar[];
  readonly width: number;
  readonly most: number;
  readonly pointed: number | null;
}

function Plot({ bars, width, most, pointed }: PlotProps) {
  const ticks = ticksUpTo(most);
  const top = ticks.at(-1)!;
  const left = leftOf(top);
  const step = (width - left) / bars.length;
  const yOf = (value: number) => 8 + PLOT - (value / top) * PLOT;
  const every = Math.ceil(LABEL_WIDTH / step);
  return (
    <g data-left={left}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={classes.line} x1={left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
          <text className={classes.text} x={left - 8} y={yOf(tick) + 4} textAnchor="end">
            {number(tick)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.day} transform={`translate(${left + index * step})`}>
          {pointed === index && <rect className={classes.pointed} width={step} y={0} height={PLOT + 8} rx={4} />}
          <Bar bar={bar} step={step} yOf={yOf} />
          {index % every === 0 && (
            <text className={classes.text} x={step / 2} y={HEIGHT - 6} textAnchor="middle">
              {index + 1}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

interface BarProps {
  readonly bar: DayBar;
  readonly step: number;
  readonly yOf: (value: number) => number;
}

function Bar({ bar, step, yOf }: BarProps) {
  const gap = Math.min(6, step * 0.25);
  return bar.parts.map((part, index) => {
    const before = bar.parts.slice(0, index).reduce((sum, each) => sum + each, 0);
    const y = yOf(before + part);
    const height = yOf(before) - y;
    if (part === 0) return null;
    return (
      <rect
        key={index}
        className={classes.part}
        data-series={index}
        x={gap / 2}
        width={Math.max(1, step - gap)}
        y={y}
        height={Math.max(1, height - 1)}
        rx={Math.min(2, height / 2)}
      />
    );
  });
}

interface LegendProps {
  readonly summary: string;
  readonly series: readonly Series[];
  readonly bar: DayBar | null;
}

/** The models with their colours, and their credits of the month or of the hovered day. */
function Legend({ summary, series, bar }: LegendProps) {
  const titleOf = useModelTitles(false);
  return (
    <figcaption className={classes.legend}>
      <span className={classes.day}>{bar ? words.onDay(dayName(bar.day), creditsOf(bar.used)) : summary}</span>
      <ul>
        {series.map(({ model, used }, index) => (
          <li key={model ?? ''}>
            <span className={classes.colour} data-series={index} />
            <bdi title={model ?? undefined}>{model === null ? words.others : titleOf(model)}</bdi>
            <span className={classes.amount}>{number(bar ? bar.parts[index]! : used)}</span>
          </li>
        ))}
      </ul>
    </figcaption>
  );
}
