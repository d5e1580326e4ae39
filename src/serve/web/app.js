document.querySelector("main").textContent = "Keima";
