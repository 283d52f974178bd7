export function Overview() {
  return <p>What do you want to do?</p>;
}
