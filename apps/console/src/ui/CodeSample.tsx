import { CopyButton } from './CopyButton.tsx';
import classes from './CodeSample.module.css';

/** Code to copy. It scrolls within itself. */
export function CodeSample({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    <div style={{ position: 'relative' }}>
      <pre tabIndex={0} role="region" aria-label={label} className={classes.code} dir="ltr">
        <code>{code}</code>
      </pre>
      <CopyButton value={code} size="xs" className={classes.copy} />
    </div>
  );
}
