import { Button, Group, NumberInput, SegmentedControl, Slider, Text } from '@mantine/core';
import { Note } from '../../ui/index.ts';
import { isExtended, SIDES, type Sides, sidesFor } from './geometry.ts';
import { brushAt, brushPlace } from './tools.ts';
import classes from './ToolOptions.module.css';
import type { Editing } from './use-editing.ts';
import { words } from './words.ts';

interface ToolOptionsProps {
  readonly editing: Editing;
}

const text = words.options;
const SHAPES = { '1:1': 1, '4:3': 4 / 3, '3:4': 3 / 4, '16:9': 16 / 9, '9:16': 9 / 16 } as const;
type Shape = keyof typeof SHAPES;

/** The settings of the chosen tool. */
export function ToolOptions({ editing }: ToolOptionsProps) {
  const { tool, size, brush, setBrush, isErasing, setErasing, add } = editing;
  const { feather } = editing.drawing;
  const longest = Math.max(size.width, size.height);
  if (tool === 'extend') return <SideOptions editing={editing} />;
  return (
    <div className={classes.options} role="group" aria-label={text.label}>
      {(tool === 'brush' || tool === 'eraser') && (
        <Setting label={text.size} value={text.pixels(brush)}>
          <Slider
            thumbLabel={text.size}
            label={null}
            value={brushPlace(brush, longest)}
            thumbValueText={text.pixels(brush)}
            onChange={(place) => setBrush(brushAt(place, longest))}
          />
        </Setting>
      )}
      {tool !== 'brush' && tool !== 'eraser' && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={text.mode}
          data={[
            { value: 'add', label: text.add },
            { value: 'erase', label: text.erase },
          ]}
          value={isErasing ? 'erase' : 'add'}
          onChange={(mode) => setErasing(mode === 'erase')}
        />
      )}
      <Setting label={text.feather} value={text.pixels(feather)}>
        <Slider
          thumbLabel={text.feather}
          label={null}
          max={Math.max(16, Math.round(longest / 20))}
          value={feather}
          thumbValueText={text.pixels(feather)}
          onChange={(radius) => add({ kind: 'feather', radius })}
        />
      </Setting>
    </div>
  );
}

interface SettingProps {
  readonly label: string;
  readonly value: string;
  readonly children: React.ReactNode;
}

function Setting({ label, value, children }: SettingProps) {
  return (
    <div className={classes.setting}>
      <Group justify="space-between" wrap="nowrap" gap={6} aria-hidden>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Note className={classes.value}>{value}</Note>
      </Group>
      {children}
    </div>
  );
}

function SideOptions({ editing: { size, drawing, extendTo } }: ToolOptionsProps) {
  const { sides } = drawing;
  const wanted = (shape: Shape) => sidesFor(size, SHAPES[shape]);
  const shapes = (Object.keys(SHAPES) as Shape[]).filter((shape) => isExtended(wanted(shape)));
  const isSame = (one: Sides) => SIDES.every((side) => one[side] === sides[side]);
  return (
    <div className={classes.options} role="group" aria-label={text.label}>
      <Group gap={6} align="stretch">
        {shapes.map((shape) => (
          <Button
            key={shape}
            size="compact-sm"
            variant={isSame(wanted(shape)) ? 'filled' : 'default'}
            aria-label={text.shapeLabel(shape)}
            aria-pressed={isSame(wanted(shape))}
            onClick={() => extendTo(wanted(shape))}
          >
            {shape}
          </Button>
        ))}
        {isExtended(sides) && (
          <Button size="compact-sm" variant="subtle" onClick={() => extendTo({ left: 0, top: 0, right: 0, bottom: 0 })}>
            {text.reset}
          </Button>
        )}
      </Group>
      <div className={classes.sides}>
        {SIDES.map((side) => (
          <NumberInput
            key={side}
            size="xs"
            label={text.sides[side]}
            min={0}
            step={Math.max(1, Math.round(Math.max(size.width, size.height) / 16))}
            allowDecimal={false}
            allowNegative={false}
            suffix=" px"
            value={sides[side]}
            onChange={(value) => extendTo({ ...sides, [side]: Number(value) || 0 })}
          />
        ))}
      </div>
    </div>
  );
}
