import { SegmentedControl } from '@mantine/core';
import { SchemeChoice } from '@ocr-router/ui/kit/scheme-choice.tsx';
import type { ComponentProps, ReactNode } from 'react';
import { DENSITIES, density } from '../appearance/density.ts';
import { useChoice } from '../appearance/stored-choice.ts';
import { ZOOMS, zoom } from '../appearance/zoom.ts';
import classes from './settings.module.css';
import { useAppInfo } from './use-app-info.ts';

const SCHEMES: ComponentProps<typeof SchemeChoice>['choices'] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const DENSITY_NAMES = { compact: 'Compact', normal: 'Normal', roomy: 'Comfortable' };
const DENSITY_CHOICES = DENSITIES.map((value) => ({ value, label: DENSITY_NAMES[value] }));
const ZOOM_CHOICES = ZOOMS.map((percent) => ({ value: String(percent), label: `${percent} %` }));

/** Light or dark, how dense, how large: kept on this machine. */
export function AppearanceSection() {
  const dense = useChoice(density);
  return (
    <section aria-labelledby="appearance">
      <h2 id="appearance" className={classes['heading']}>
        Appearance
      </h2>
      <div className={`kit-panel ${classes['rows']}`}>
        <Row name="Theme">
          <SchemeChoice label="Theme" choices={SCHEMES} />
        </Row>
        <Row name="Density of lists">
          <SegmentedControl
            aria-label="Density of lists"
            data={DENSITY_CHOICES}
            value={dense}
            onChange={(value) => density.set(value)}
          />
        </Row>
        <Row name="Zoom">
          <ZoomChoice />
        </Row>
      </div>
    </section>
  );
}

function ZoomChoice() {
  const info = useAppInfo();
  const percent = useChoice(zoom);
  if (info?.shell === 'web') return <span className="kit-soft">The browser’s own: Ctrl and +, Ctrl and −.</span>;
  return (
    <SegmentedControl
      aria-label="Zoom"
      data={ZOOM_CHOICES}
      value={String(percent)}
      onChange={(value) => zoom.set(ZOOMS.find((other) => String(other) === value) ?? 100)}
    />
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes['row']}>
      <span>{name}</span>
      {children}
    </div>
  );
}
