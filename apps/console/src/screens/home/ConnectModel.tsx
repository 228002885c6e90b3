import { Button, Paper, ThemeIcon, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { modelsListOptions } from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { Hint } from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { words } from './words.ts';

const text = words.connect;

/** Leads operators of a service that has only built-in models to their first real one. */
export function ConnectModel() {
  const { user } = useMe();
  const { data } = useQuery({ ...modelsListOptions(), enabled: user.is_operator });
  if (!user.is_operator || !data?.models.every(({ provider }) => provider === 'local')) return null;
  return (
    <Paper component="section" aria-label={text.title} radius="lg" shadow="xs" className={classes.connect}>
      <ThemeIcon size={44} radius="md" variant="light" aria-hidden>
        <Plug size={22} strokeWidth={1.8} />
      </ThemeIcon>
      <div className={classes.what}>
        <Title order={2}>{text.title}</Title>
        <Hint mt={2}>{text.hint}</Hint>
      </div>
      <Button component={Link} to="/operator" search={{ part: 'models', connect: true } as never}>
        {text.action}
      </Button>
    </Paper>
  );
}
