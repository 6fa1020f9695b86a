// Says on the page that its own script has run; without it nothing is missing.
document.documentElement.dataset.cairn = "stands";
