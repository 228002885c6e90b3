import { Text, ThemeIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowRight, Images, Sparkles, UserRound } from 'lucide-react';
import { Hint } from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { words } from './words.ts';

const STEPS = [
  { to: '/generate', icon: Sparkles, ...words.steps.generate },
  { to: '/personas', icon: UserRound, ...words.steps.persona },
  { to: '/boards', icon: Images, ...words.steps.board },
] as const;

/** The first steps in an empty workspace. */
export function FirstSteps() {
  return (
    <ol className={classes.steps}>
      {STEPS.map(({ to, icon: Icon, title, hint }) => (
        <li key={to}>
          <Link to={to} className={classes.step}>
            <ThemeIcon size={44} radius="md" variant="light" aria-hidden>
              <Icon size={22} strokeWidth={1.8} />
            </ThemeIcon>
            <Text fw={650} mt="md" className={classes.stepTitle}>
              {title} <ArrowRight size={16} aria-hidden />
            </Text>
            <Hint mt={4}>{hint}</Hint>
          </Link>
        </li>
      ))}
    </ol>
  );
}
