// Preloaded into a whole program (`node --import`): its clock runs ahead by what ROUNDHOUSE_TEST_AHEAD_MS says, from the
// first SIGUSR2 on. So a token's lifetime can pass without anybody waiting for it.
const realNow = Date.now.bind(Date);
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;
process.on("SIGUSR2", () => {
  aheadMs = Number(process.env.ROUNDHOUSE_TEST_AHEAD_MS);
  process.stderr.write("The clock runs ahead.\n");
});
