import { Button, Paper, Skeleton, Text, ThemeIcon, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleAlert, Images, MailCheck, Plug, Sparkles, UserRound } from 'lucide-react';
import {
  creditsGetOptions,
  type GenerationResponse,
  type LibraryItemDto,
  libraryListOptions,
  modelsListOptions,
} from '../../api/index.ts';
import { itemOf, LIBRARY_LOOK } from '../../library/index.ts';
import { shellWords, useMe, useUnverified } from '../../shell/index.ts';
import {
  ActionButton,
  adviceFor,
  CreditsBar,
  EmptyState,
  ErrorNotice,
  Hint,
  number,
  Page,
  Section,
  uiWords,
  useModelTitles,
  useUnderWay,
  When,
} from '../../ui/index.ts';
import classes from './HomePage.module.css';
import { daysLeft } from './month.ts';
import { Running } from './Running.tsx';
import { words } from './words.ts';

const LATEST = { ...libraryListOptions({ query: { origin: 'output', limit: 12 } }), refetchInterval: 10_000 };
const NONE: readonly LibraryItemDto[] = [];
const FAILURES = 5;

/** Open generations, credits left, the user's failures, and the latest outputs. */
export function HomePage() {
  const { user } = useMe();
  const { underWay, failed, ...read } = useUnderWay({ userId: user.id });
  const latest = useQuery(LATEST);
  const items = latest.data?.items ?? NONE;
  const isPending = read.isPending || latest.isPending;
  const error = read.error ?? latest.error;
  const retry = () => {
    read.retry();
    void latest.refetch();
  };
  if (useUnverified()) return <Unverified name={user.name} />;
  const isNew = !isPending && !error && underWay.length + failed.length + items.length === 0;
  return (
    <Page
      title={words.greeting(user.name)}
      actions={<ActionButton component={Link} icon={Sparkles} iconSize={17} label={words.generate} to="/generate" />}
    >
      {error && <ErrorNotice error={error} onRetry={retry} />}
      <ConnectModel />
      <div className={classes.cards}>
        {!(error && underWay.length === 0) && <Running generations={underWay} isPending={read.isPending} />}
        <CreditsCard />
      </div>
      {isNew && <FirstSteps />}
      {failed.length > 0 && <Failures generations={failed.slice(0, FAILURES)} />}
      {(items.length > 0 || latest.isPending) && <Latest items={items} isPending={latest.isPending} />}
    </Page>
  );
}

/** The service shows nothing before the address is confirmed. */
function Unverified({ name }: { readonly name: string | null }) {
  return (
    <Page title={words.greeting(name)}>
      <EmptyState
        icon={MailCheck}
        title={words.unverified}
        hint={words.unverifiedHint}
        action={<ActionButton component={Link} label={shellWords.verify} to="/account" />}
      />
    </Page>
  );
}

const text = words.connect;

/** Leads operators of a service that has only built-in models to their first real one. */
function ConnectModel() {
  const { user } = useMe();
  const { data } = useQuery({ ...modelsListOptions(), enabled: user.is_operator });
  if (!user.is_operator || !data?.models.every(({ provider }) => provider === 'local')) return null;
  return (
    <Paper component="section" aria-label={text.title} shadow="xs" className={classes.connect}>
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

const STEPS = [
  { to: '/generate', icon: Sparkles, ...words.steps.generate },
  { to: '/personas', icon: UserRound, ...words.steps.persona },
  { to: '/boards', icon: Images, ...words.steps.board },
] as const;

/** The first steps in an empty workspace. */
function FirstSteps() {
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

/** The user's recent failures, each with its reason and advice. */
function Failures({ generations }: { readonly generations: readonly GenerationResponse[] }) {
  const titleOf = useModelTitles(false);
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
                {prompt ?? titleOf(model)}
              </div>
              <div className={classes.why}>{error?.message ?? uiWords.generation.unknownFailure}</div>
              <div className={classes.todo}>{adviceFor(error?.code ?? '')}</div>
              <div className={classes.details}>
                <span dir="auto">{titleOf(model)}</span>
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

/** The credits left this month. */
function CreditsCard() {
  const { data, error, refetch } = useQuery(creditsGetOptions());
  return (
    <Section title={words.credits.title}>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={92} />}
      {data && <Left {...data.credits} />}
      <Link to="/usage" className={`${classes.link} ${classes.atEnd}`}>
        {words.credits.who}
      </Link>
    </Section>
  );
}

function Left({ purchased, available }: { readonly purchased: number; readonly available: number }) {
  const days = daysLeft();
  return (
    <>
      <div className={classes.figure}>
        <strong>{number(available)}</strong>
        <span>{words.credits.of(number(purchased))}</span>
      </div>
      <CreditsBar purchased={purchased} available={available} size={8} mt={10} />
      <Hint mt={8}>{available > 0 ? words.credits.renewed(days) : words.credits.none(days)}</Hint>
    </>
  );
}

/** The newest outputs of the workspace. */
function Latest({ items, isPending }: { readonly items: readonly LibraryItemDto[]; readonly isPending: boolean }) {
  return (
    <Section
      title={words.latest.title}
      actions={
        <Link to="/library" className={classes.link}>
          {words.latest.all}
        </Link>
      }
    >
      <ul className={classes.mosaic}>
        {isPending &&
          Array.from({ length: 6 }, (_, tile) => <Skeleton component="li" key={tile} className={classes.tile} />)}
        {items.map(itemOf).map((item) => (
          <li key={item.id} className={classes.tile}>
            <Link
              to="/library"
              search={{ open: item.id } as never}
              className={classes.item}
              aria-label={LIBRARY_LOOK.describe(item)}
            >
              {LIBRARY_LOOK.content(item, 200)}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
