import { Button, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../api/index.ts';
import { meQuery } from '../../shell/index.ts';
import { ErrorNotice } from '../../ui/index.ts';
import { words } from '../../words.ts';
import classes from './SignInPage.module.css';

export function SignInPage() {
  const form = useForm({ initialValues: { email: '', password: '' } });
  const { next } = useSearch({ strict: false }) as { next?: string };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const signIn = useMutation({
    mutationFn: (values: typeof form.values) => api.post('/v2/auth/session', values),
    onSuccess: async () => {
      await queries.invalidateQueries(meQuery);
      await navigate({ to: next?.startsWith('/') && !next.startsWith('//') ? next : '/' });
    },
  });
  return (
    <main className={classes.page}>
      <Paper
        component="form"
        p="xl"
        radius="lg"
        shadow="md"
        className={classes.card}
        onSubmit={form.onSubmit((values) => signIn.mutate(values))}
      >
        <Stack>
          <Title order={1}>{words.signIn.title}</Title>
          {signIn.error && <ErrorNotice error={signIn.error} />}
          <TextInput
            type="email"
            required
            withAsterisk={false}
            autoComplete="username"
            label={words.signIn.email}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            required
            withAsterisk={false}
            autoComplete="current-password"
            label={words.signIn.password}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending}>
            {words.signIn.submit}
          </Button>
        </Stack>
      </Paper>
    </main>
  );
}
