import { CircleAlert } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { GenerationResponse } from '../../api/index.ts';
import { adviceFor, Section, uiWords, When } from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { words } from './words.ts';

/** The user's recent failures, each with its reason and advice. */
export function Failures({ generations }: { readonly generations: readonly GenerationResponse[] }) {
  return (
    <Section
      title={words.failures.title}
      actions={
        <Link to="/generate" search={{ failed: true } as never} className={classes.link}>
          {words.failures.all}
        </Link>
      }
    >
      <ul className={classes.list}>
        {generations.map(({ id, prompt, model, error, finished_at }) => (
          <li key={id} className={classes.row}>
            <CircleAlert size={19} className={classes.alert} aria-hidden />
            <div className={classes.what}>
              <div className={classes.prompt} dir="auto">
                {prompt ?? model}
              </div>
              <div className={classes.why}>{error?.message ?? uiWords.generation.unknownFailure}</div>
              <div className={classes.todo}>{adviceFor(error?.code ?? '')}</div>
              <div className={classes.details}>
                <span dir="auto">{model}</span>
                <When at={finished_at} />
                <span>{words.failures.free}</span>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
