/** Questions, one at a time, each answered with one key. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Question } from "../../api.ts";
import { Choice, Choices } from "../parts/choices.tsx";
import { openSheet } from "../sheets/sheet.tsx";
import { factsOf } from "../state/facts.ts";
import { type KeyActions, useKeys } from "../state/keys.ts";
import { answer, asking, currentQuestion, newRound, type Round, refusal, round, stepBack } from "../state/questions.ts";
import { go, wallPath } from "../state/route.ts";
import { clusterFacts, clusterName, pictureOf, readOnly, studio } from "../state/studio.ts";
import { counted } from "../state/words.ts";
import { QuestionsSummary } from "./questions-summary.tsx";

export function Questions(): JSX.Element {
  const now = round.value;
  const question = currentQuestion();
  useEffect(() => {
    if (now === undefined && !readOnly.value) void newRound();
  }, [now === undefined]);
  if (readOnly.value) return <Message>Nothing can be decided here, so nothing is asked.</Message>;
  if (asking.value || now === undefined) return <Message busy>Looking for what to ask…</Message>;
  if (now.questions.length === 0)
    return <Message>{refusal.value ?? "Nothing is in doubt: there is nothing to ask."}</Message>;
  if (question === undefined) return <QuestionsSummary round={now} />;
  return question.kind === "image" ? (
    <ImageQuestion question={question} now={now} />
  ) : (
    <ClustersQuestion question={question} now={now} />
  );
}

function Message({ children, busy = false }: { readonly children: string; readonly busy?: boolean }): JSX.Element {
  useKeys({ Escape: () => go(wallPath) });
  return (
    <main class="view" aria-busy={busy}>
      <p class="empty soft" role="status">
        {children}
      </p>
      <p class="empty">
        <a href={wallPath}>Back to the clusters</a>
      </p>
    </main>
  );
}

interface QuestionProps<Kind extends Question["kind"]> {
  readonly question: Extract<Question, { readonly kind: Kind }>;
  readonly now: Round;
}

/** So many can be chosen by a digit. */
const mostChoices = 9;

function ImageQuestion({ question, now }: QuestionProps<"image">): JSX.Element {
  const { image, candidates, speaksFor } = question;
  const images = [image];
  // Some may have been merged meanwhile, and others made.
  const offered = [...new Set([...candidates, ...now.made])].filter((one) => clusterFacts(one) !== undefined);
  const choices = offered.slice(0, mostChoices);
  const choose = (cluster: number): void =>
    answer(cluster === candidates[0] ? "confirmed" : "moved", { kind: "move", images, to: cluster, asked: true });
  const [first, second] = candidates.map(clusterName);
  const others = speaksFor < 2 ? "" : ` Your answer speaks for ${counted(speaksFor - 1, "other image")} like it.`;
  const actions: readonly Action[] = [
    { key: "n", label: "New cluster", run: () => answer("new", { kind: "move", images, to: {}, asked: true }) },
    { key: "m", label: "Another…", run: () => another(image) },
    { key: "a", label: "Put aside", run: () => answer("aside", { kind: "aside", images }) },
  ];
  return (
    <Asked
      now={now}
      title="Where does it belong?"
      why={`It is between ${first} and ${second}.${others}`}
      actions={actions}
      keys={Object.fromEntries(choices.map((cluster, index) => [String(index + 1), () => choose(cluster)]))}
    >
      <figure class="large">
        <img
          key={image}
          src={pictureOf(image)}
          alt={factsOf(image)?.name ?? "What is asked about"}
          class={studio.value?.pixelated ? "pixelated" : ""}
        />
      </figure>
      <Choices label="Clusters that it may belong to">
        {choices.map((cluster, index) => (
          <Choice key={cluster} cluster={cluster} sign={String(index + 1)} onChoose={() => choose(cluster)} />
        ))}
      </Choices>
    </Asked>
  );
}

/** Any other cluster, or a new one with a name. */
function another(image: number): void {
  openSheet.value = {
    kind: "move",
    images: [image],
    onChoose: (to) =>
      answer(typeof to === "number" ? "moved" : "new", { kind: "move", images: [image], to, asked: true }),
  };
}

function ClustersQuestion({ question, now }: QuestionProps<"clusters">): JSX.Element {
  const { clusters, examples } = question;
  const [[a], [b]] = examples;
  const larger = clusters.toSorted((x, y) => (clusterFacts(y)?.size ?? 0) - (clusterFacts(x)?.size ?? 0));
  const actions: readonly Action[] = [
    { key: "y", label: "The same", run: () => answer("same", { kind: "merge", clusters: larger }) },
    {
      key: "n",
      label: "Different",
      run: () => answer("different", { kind: "different", images: [a, b] }),
    },
  ];
  const gone = clusters.some((cluster) => clusterFacts(cluster) === undefined);
  // One of them may have been merged meanwhile.
  useEffect(() => {
    if (gone) answer("skipped");
  }, [gone]);
  return (
    <Asked
      now={now}
      title="Are these the same?"
      why={`If ${clusters.map(clusterName).join(" and ")} are one thing, they become one cluster.`}
      actions={actions}
    >
      <Choices label="The two clusters">
        {clusters.map((cluster, index) => (
          <Choice key={cluster} cluster={cluster} images={examples[index]} large />
        ))}
      </Choices>
    </Asked>
  );
}

interface Action {
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

interface AskedProps {
  readonly now: Round;
  readonly title: string;
  readonly why: string;
  readonly actions: readonly Action[];
  readonly keys?: KeyActions;
  readonly children: ComponentChildren;
}

/** What all questions have: how far one is, why it is asked, and the same ways out. */
function Asked({ now, title, why, actions, keys = {}, children }: AskedProps): JSX.Element {
  const view = useRef<HTMLElement>(null);
  // A button that was clicked would take the space bar, which skips.
  useLayoutEffect(() => view.current?.focus({ preventScroll: true }), [now.answered.length]);
  const skip = (): void => answer("skipped");
  const place = now.answered.length + 1;
  const all: readonly Action[] = [
    ...actions,
    { key: "s", label: "Skip", run: skip },
    ...(now.answered.length === 0 ? [] : [{ key: "u", label: "Undo", run: stepBack }]),
  ];
  useKeys({
    ...keys,
    ...Object.fromEntries(all.map(({ key, run }) => [key, run])),
    " ": skip,
    Escape: () => go(wallPath),
  });
  return (
    <main class="view asked" ref={view} tabIndex={-1}>
      <header class="asked-heading">
        <h1>{title}</h1>
        <span class="soft place" role="status">
          {place} of {now.questions.length}
        </span>
        <progress max={now.questions.length} value={now.answered.length} aria-label="Questions answered" />
        <p class="soft">{why}</p>
      </header>
      <div class="asked-body">{children}</div>
      <div class="asked-actions" role="toolbar" aria-label="Other answers">
        {all.map(({ key, label, run }) => (
          <button key={key} type="button" onClick={run} aria-keyshortcuts={key}>
            {label} <kbd>{key.toUpperCase()}</kbd>
          </button>
        ))}
      </div>
    </main>
  );
}
